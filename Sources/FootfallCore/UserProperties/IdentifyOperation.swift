/// How one property of a person changes.
///
/// The ten operations of Amplitude's identify call (Identify API, "user_properties"), under the
/// same names on the wire.
///
/// They apply in the order of the cases below, whatever order they were given in.
public enum IdentifyOperation: String, Sendable, Hashable, CaseIterable {
  /// Removes every property; everything else in the same call is ignored.
  case clearAll = "$clearAll"
  /// Removes a property.
  case unset = "$unset"
  /// Replaces a property.
  case set = "$set"
  /// Sets a property that has no value yet.
  case setOnce = "$setOnce"
  /// Adds a number, which may be negative; a missing property counts as 0.
  case add = "$add"
  /// Adds values to the end of a list.
  case append = "$append"
  /// Adds values to the start of a list, keeping their order.
  case prepend = "$prepend"
  /// Adds values to the start of a list, skipping those already there.
  case preInsert = "$preInsert"
  /// Adds values to the end of a list, skipping those already there.
  case postInsert = "$postInsert"
  /// Removes every instance of the values from a list.
  case remove = "$remove"
}
