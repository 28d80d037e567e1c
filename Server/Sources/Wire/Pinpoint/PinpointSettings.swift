/// What an application's settings say of sending: kept and told, for whoever sends by it.
///
/// Source: Pinpoint's service model, `WriteApplicationSettingsRequest`.
public struct PinpointSettings: Sendable, Hashable {
  /// Members by their names, as JSON.
  private var members: [String: String] = [:]

  private indirect enum Shape {
    case text
    case word([String])
    case number
    case boolean
    case object([String: Shape])
  }

  private static let shapes: [String: Shape] = [
    "CampaignHook": .object([
      "LambdaFunctionName": .text, "Mode": .word(["DELIVERY", "FILTER"]), "WebUrl": .text,
    ]),
    "CloudWatchMetricsEnabled": .boolean, "EventTaggingEnabled": .boolean,
    "JourneyLimits": .object([
      "DailyCap": .number, "TotalCap": .number,
      "TimeframeCap": .object(["Cap": .number, "Days": .number]),
    ]),
    "Limits": .object([
      "Daily": .number, "MaximumDuration": .number, "MessagesPerSecond": .number,
      "Session": .number, "Total": .number,
    ]),
    "QuietTime": .object(["End": .text, "Start": .text]),
  ]
  /// What is taken but not told: AWS's answer has no place for it.
  private static let silent: Set<String> = ["CloudWatchMetricsEnabled", "EventTaggingEnabled"]

  /// Says nothing.
  public init() {}

  /// Reads the body of UpdateApplicationSettings, or what `json` wrote.
  ///
  /// - Throws: A refusal that names what is wrong; members that nobody knows are passed over.
  public init(_ json: UnsafeRawBufferPointer) throws(AWSRefusal) {
    guard !json.isEmpty else { return }
    var reader = PinpointEndpointReader(json)
    members = try Self.members(of: "The body", Self.shapes, &reader)
    guard reader.isAtEnd else { throw .badRequest("The body is not JSON.") }
  }

  /// Takes what a request says: a member that it names changes as a whole, the others stay.
  public mutating func apply(_ other: PinpointSettings) {
    members.merge(other.members) { $1 }
  }

  /// The settings as one JSON object.
  public var json: String { JSONText.object(members) }

  /// The ApplicationSettingsResource.
  ///
  /// - Parameters:
  ///   - app: The application's id.
  ///   - changedAtMs: When they were last changed, in milliseconds since 1970; nil for never.
  /// - Returns: The body.
  public func answer(app: String, changedAtMs: Int64?) -> String {
    var told = members.filter { !Self.silent.contains($0.key) }
    told["ApplicationId"] = JSONText.quoted(app)
    told["LastModifiedDate"] = changedAtMs.map { JSONText.quoted(UTCTime($0).extended) }
    return JSONText.object(told)
  }

  private static func members(
    of field: String,
    _ shapes: [String: Shape],
    _ reader: inout PinpointEndpointReader
  ) throws(AWSRefusal) -> [String: String] {
    var found: [String: String] = [:]
    try reader.object(field) { (reader, name) throws(AWSRefusal) in
      guard let shape = shapes[name] else { return try reader.skip() }
      found[name] = try value(of: name, shape, &reader)
    }
    return found
  }

  private static func value(
    of field: String,
    _ shape: Shape,
    _ reader: inout PinpointEndpointReader
  ) throws(AWSRefusal) -> String? {
    switch shape {
    case .text: return try reader.text(field).map(JSONText.quoted)
    case .boolean: return try reader.boolean(field).map { String($0) }
    case .object(let shapes): return JSONText.object(try members(of: field, shapes, &reader))
    case .word(let words):
      guard let word = try reader.text(field) else { return nil }
      guard words.contains(word) else {
        throw .badRequest("\(field) must be one of \(words.joined(separator: ", ")).")
      }
      return JSONText.quoted(word)
    case .number:
      guard let number = try reader.number(field) else { return nil }
      guard let whole = Int64(number), whole >= 0 else {
        throw .badRequest("\(field) must be a whole number from 0 on, not \(number).")
      }
      return number
    }
  }
}
