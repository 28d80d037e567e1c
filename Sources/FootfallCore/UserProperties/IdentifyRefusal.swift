/// Why one operation of an identify does not take part.
///
/// Rules, order and words are those of Amplitude's SDK. Source: `amplitude.md` section 2.3.
enum IdentifyRefusal: Sendable, Equatable {
  /// The property has no name.
  case noName
  /// There is no value.
  case noValue
  /// Every property is removed already.
  case afterClearing
  /// Another operation is about this property.
  case usedBefore

  /// What is wrong with an operation that follows others which take part; nil for nothing.
  init?(of entry: IdentifyOperations.Entry, after others: [IdentifyOperations.Entry]) {
    if entry.key.isEmpty {
      self = .noName
    } else if entry.value == .null {
      self = .noValue
    } else if others.contains(where: { $0.operation == .clearAll }) {
      self = .afterClearing
    } else if others.contains(where: { $0.key == entry.key }) {
      self = .usedBefore
    } else {
      return nil
    }
  }

  /// The sentence for the log.
  func message(about operation: IdentifyOperation, key: String) -> String {
    let name = operation.rawValue
    return switch self {
    case .noName:
      "Attempting to perform operation \(name) with a null or empty string property, ignoring"
    case .noValue:
      "Attempting to perform operation \(name) with null value for property \(key), ignoring"
    case .afterClearing:
      "This Identify already contains a $clearAll operation, ignoring operation \(name)"
    case .usedBefore:
      "Already used property \(key) in previous operation, ignoring operation \(name)"
    }
  }
}
