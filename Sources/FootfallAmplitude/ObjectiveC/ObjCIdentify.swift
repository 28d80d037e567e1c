#if canImport(ObjectiveC)
public import Foundation

/// Changes to a user's or a group's properties: `AMPIdentify`.
@objc(AMPIdentify)
public final class ObjCIdentify: NSObject {
  let identify = Identify()

  /// As `Identify.set`.
  @objc(set:value:) @discardableResult
  public func set(_ property: String, value: Any?) -> ObjCIdentify {
    identify.set(property: property, value: value)
    return self
  }
  /// As `Identify.setOnce`.
  @objc(setOnce:value:) @discardableResult
  public func setOnce(_ property: String, value: Any?) -> ObjCIdentify {
    identify.setOnce(property: property, value: value)
    return self
  }
  /// As `Identify.append`.
  @objc(append:value:) @discardableResult
  public func append(_ property: String, value: Any?) -> ObjCIdentify {
    identify.append(property: property, value: value)
    return self
  }
  /// As `Identify.prepend`.
  @objc(prepend:value:) @discardableResult
  public func prepend(_ property: String, value: Any?) -> ObjCIdentify {
    identify.prepend(property: property, value: value)
    return self
  }
  /// As `Identify.postInsert`.
  @objc(postInsert:value:) @discardableResult
  public func postInsert(_ property: String, value: Any?) -> ObjCIdentify {
    identify.postInsert(property: property, value: value)
    return self
  }
  /// As `Identify.preInsert`.
  @objc(preInsert:value:) @discardableResult
  public func preInsert(_ property: String, value: Any?) -> ObjCIdentify {
    identify.preInsert(property: property, value: value)
    return self
  }
  /// As `Identify.remove`.
  @objc(remove:value:) @discardableResult
  public func remove(_ property: String, value: Any?) -> ObjCIdentify {
    identify.remove(property: property, value: value)
    return self
  }
  /// As `Identify.add`.
  @objc(add:value:) @discardableResult
  public func add(_ property: String, value: NSNumber) -> ObjCIdentify {
    // "d" and "f" are what C calls numbers with a fraction.
    if ["d", "f"].contains(String(cString: value.objCType)) {
      identify.add(property: property, value: value.doubleValue)
    } else {
      identify.add(property: property, value: value.int64Value)
    }
    return self
  }
  /// As `Identify.unset`.
  @objc(unset:) @discardableResult
  public func unset(_ property: String) -> ObjCIdentify {
    identify.unset(property: property)
    return self
  }
  /// As `Identify.clearAll`.
  @objc @discardableResult public func clearAll() -> ObjCIdentify {
    identify.clearAll()
    return self
  }
}
#endif
