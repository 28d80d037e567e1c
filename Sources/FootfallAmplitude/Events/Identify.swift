import FootfallCore

/// Changes to a user's or a group's properties, for one call.
///
/// A property takes part once: a second operation on it, one without a name or a value, and whatever
/// follows `clearAll()` does not take part; the log says so when the object is handed over. Values are
/// texts, numbers, truth values, and lists and dictionaries of these. Not for several threads at once.
public final class Identify {
  private(set) var operations = IdentifyOperations()

  /// No changes.
  public init() {}

  /// The operations by name, as they are sent.
  var properties: [String: Any] { operations.untyped }

  private func change(
    _ change: (IdentifyOperations) -> IdentifyOperations
  ) -> Identify {
    operations = change(operations)
    return self
  }

  /// What there is of a value; what cannot be sent counts as nothing.
  private func value(_ value: Any?) -> PropertyValue {
    value.flatMap { PropertyValue(converting: $0) } ?? .null
  }
}

// One spelling for scalars and whatever is a variable, and two for what only a literal can be.
extension Identify {
  /// Replaces a property.
  @discardableResult public func set(property: String, value: Any?) -> Identify {
    change { $0.set(property, self.value(value)) }
  }
  /// Replaces a property by a list.
  @discardableResult public func set(property: String, value: [Any]) -> Identify {
    set(property: property, value: value as Any?)
  }
  /// Replaces a property by an object.
  @discardableResult public func set(property: String, value: [String: Any]) -> Identify {
    set(property: property, value: value as Any?)
  }

  /// Sets a property that has no value yet.
  @discardableResult public func setOnce(property: String, value: Any?) -> Identify {
    change { $0.setOnce(property, self.value(value)) }
  }
  /// Sets a property that has no value yet; from a list.
  @discardableResult public func setOnce(property: String, value: [Any]) -> Identify {
    setOnce(property: property, value: value as Any?)
  }
  /// Sets a property that has no value yet; an object.
  @discardableResult public func setOnce(property: String, value: [String: Any]) -> Identify {
    setOnce(property: property, value: value as Any?)
  }

  /// Adds a value, or each of a list, to the end of a list.
  @discardableResult public func append(property: String, value: Any?) -> Identify {
    change { $0.append(property, self.value(value)) }
  }
  /// Adds a value, or each of a list, to the end of a list; from a list.
  @discardableResult public func append(property: String, value: [Any]) -> Identify {
    append(property: property, value: value as Any?)
  }
  /// Adds a value, or each of a list, to the end of a list; an object.
  @discardableResult public func append(property: String, value: [String: Any]) -> Identify {
    append(property: property, value: value as Any?)
  }

  /// Adds a value, or each of a list, to the start of a list.
  @discardableResult public func prepend(property: String, value: Any?) -> Identify {
    change { $0.prepend(property, self.value(value)) }
  }
  /// Adds a value, or each of a list, to the start of a list; from a list.
  @discardableResult public func prepend(property: String, value: [Any]) -> Identify {
    prepend(property: property, value: value as Any?)
  }
  /// Adds a value, or each of a list, to the start of a list; an object.
  @discardableResult public func prepend(property: String, value: [String: Any]) -> Identify {
    prepend(property: property, value: value as Any?)
  }

  /// Adds what a list does not have yet to its end.
  @discardableResult public func postInsert(property: String, value: Any?) -> Identify {
    change { $0.postInsert(property, self.value(value)) }
  }
  /// Adds what a list does not have yet to its end; from a list.
  @discardableResult public func postInsert(property: String, value: [Any]) -> Identify {
    postInsert(property: property, value: value as Any?)
  }
  /// Adds what a list does not have yet to its end; an object.
  @discardableResult public func postInsert(property: String, value: [String: Any]) -> Identify {
    postInsert(property: property, value: value as Any?)
  }

  /// Adds what a list does not have yet to its start.
  @discardableResult public func preInsert(property: String, value: Any?) -> Identify {
    change { $0.preInsert(property, self.value(value)) }
  }
  /// Adds what a list does not have yet to its start; from a list.
  @discardableResult public func preInsert(property: String, value: [Any]) -> Identify {
    preInsert(property: property, value: value as Any?)
  }
  /// Adds what a list does not have yet to its start; an object.
  @discardableResult public func preInsert(property: String, value: [String: Any]) -> Identify {
    preInsert(property: property, value: value as Any?)
  }

  /// Removes a value, or each of a list, from a list.
  @discardableResult public func remove(property: String, value: Any?) -> Identify {
    change { $0.remove(property, self.value(value)) }
  }
  /// Removes a value, or each of a list, from a list; from a list.
  @discardableResult public func remove(property: String, value: [Any]) -> Identify {
    remove(property: property, value: value as Any?)
  }
  /// Removes a value, or each of a list, from a list; an object.
  @discardableResult public func remove(property: String, value: [String: Any]) -> Identify {
    remove(property: property, value: value as Any?)
  }

  /// Adds a whole number, which may be negative.
  @discardableResult public func add(property: String, value: Int) -> Identify {
    change { $0.add(property, value: .integer(value)) }
  }
  /// Adds a whole number of 64 bits, which may be negative.
  @discardableResult public func add(property: String, value: Int64) -> Identify {
    change { $0.add(property, value: .integer(value)) }
  }
  /// Adds a number, which may be negative.
  @discardableResult public func add(property: String, value: Float) -> Identify {
    change { $0.add(property, value: self.value(value)) }
  }
  /// Adds a number, which may be negative.
  @discardableResult public func add(property: String, value: Double) -> Identify {
    change { $0.add(property, value) }
  }
  /// Removes a property.
  @discardableResult public func unset(property: String) -> Identify {
    change { $0.unset(property) }
  }
  /// Removes every property; whatever else was asked for counts no more.
  @discardableResult public func clearAll() -> Identify {
    change { $0.clearAll() }
  }
}
