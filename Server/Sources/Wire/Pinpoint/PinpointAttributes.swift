/// Names that are to be taken from all endpoints of an application: RemoveAttributes.
///
/// Source: Pinpoint's service model, `UpdateAttributesRequest`.
public struct PinpointAttributes: Sendable, Hashable {
  /// Which of an endpoint's names are meant.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The endpoint's attributes.
    case attributes = "endpoint-custom-attributes"
    /// The endpoint's metrics.
    case metrics = "endpoint-metric-attributes"
    /// The attributes of the endpoint's user.
    case userAttributes = "endpoint-user-attributes"
  }

  /// Which names are meant.
  public let kind: Kind
  /// Names, in which `*` stands for any characters.
  private let patterns: [[Character]]

  /// The most names of one request.
  private static let maxPatterns = 250

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - kind: The last part of the path.
  ///   - json: The body, an object with `Blacklist`, a list of names.
  /// - Throws: A refusal that names what is wrong.
  public init(kind: String, _ json: UnsafeRawBufferPointer) throws(AWSRefusal) {
    guard let kind = Kind(rawValue: kind) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw .badRequest("The attribute type must be one of \(kinds), not \(kind).")
    }
    self.kind = kind
    var reader = PinpointEndpointReader(json)
    var names: [String]?
    try reader.object("The body") { (reader, name) throws(AWSRefusal) in
      guard name == "Blacklist" else { return try reader.skip() }
      var found: [String] = []
      try reader.list(name) { (reader) throws(AWSRefusal) in
        if let name = try reader.text("Blacklist") { found.append(name) }
      }
      names = found
    }
    guard reader.isAtEnd else { throw .badRequest("The body is not JSON.") }
    guard let names, !names.isEmpty, !names.contains(""), names.count <= Self.maxPatterns else {
      throw .badRequest("Blacklist must be a list of 1 to \(Self.maxPatterns) names.")
    }
    patterns = names.map { Array($0) }
  }

  /// Whether a name is to be taken away; case counts.
  public func contains(_ name: String) -> Bool {
    let name = Array(name)
    return patterns.contains { Self.matches(name, $0) }
  }

  /// What an endpoint has of the names, sorted.
  public func names(of state: PinpointEndpointUpdate) -> [String] {
    let all: [String] =
      switch kind {
      case .attributes: Array(state.attributes.keys)
      case .metrics: Array(state.metrics.keys)
      case .userAttributes: Array(state.userAttributes.keys)
      }
    return all.filter(contains).sorted()
  }

  /// Takes the names away from what is known of an endpoint.
  public func remove(from state: inout PinpointEndpointUpdate) {
    for name in names(of: state) {
      switch kind {
      case .attributes: state.attributes[name] = nil
      case .metrics: state.metrics[name] = nil
      case .userAttributes: state.userAttributes[name] = nil
      }
    }
  }

  /// The AttributesResource.
  ///
  /// - Parameters:
  ///   - app: The application's id.
  ///   - removed: The names that were there.
  /// - Returns: The body.
  public func answer(app: String, removed: Set<String>) -> String {
    JSONText.object([
      "ApplicationId": JSONText.quoted(app), "AttributeType": JSONText.quoted(kind.rawValue),
      "Attributes": JSONText.list(removed.sorted()),
    ])
  }

  /// Property operations that take names away, as JSON.
  public static func operations(_ names: [String]) -> String {
    let unset = Dictionary(names.map { ($0, "\"-\"") }, uniquingKeysWith: { first, _ in first })
    return JSONText.object(["$unset": JSONText.object(unset)])
  }

  /// What was asked for, as the log keeps it, as JSON.
  public func context(_ names: [String]) -> String {
    JSONText.object(["AttributesRemoved": JSONText.object([kind.rawValue: JSONText.list(names)])])
  }

  /// Goes back to the last star only, so that no pattern takes long.
  private static func matches(_ text: [Character], _ pattern: [Character]) -> Bool {
    var (at, place) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, at)
        place += 1
      } else if place < pattern.count, pattern[place] == text[at] {
        at += 1
        place += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (at, place) = (last.text + 1, last.pattern + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
