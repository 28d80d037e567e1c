public import Foundation

extension TaskCore {
  /// A value as the object that a task hands out: itself, or as Objective-C would box it.
  static func object(_ value: Any) -> AnyObject {
    #if canImport(ObjectiveC)
    return value as AnyObject
    #else
    if type(of: value) is AnyClass { return value as AnyObject }
    switch value {
    case let text as String: return NSString(string: text)
    case let data as Data: return NSData(data: data)
    case let isTrue as Bool: return NSNumber(value: isTrue)
    case let number as Int: return NSNumber(value: number)
    case let number as UInt: return NSNumber(value: number)
    case let number as Double: return NSNumber(value: number)
    case let number as Float: return NSNumber(value: number)
    case let list as [Any]: return NSArray(array: list)
    case let table as [AnyHashable: Any]: return NSDictionary(dictionary: table)
    default: return AWSTaskValue(value)
    }
    #endif
  }
}

/// A value that is no object, as the result of a task; only where there is no Objective-C to box it.
public final class AWSTaskValue: NSObject {
  /// The value.
  public let value: Any

  init(_ value: Any) {
    self.value = value
  }
}
