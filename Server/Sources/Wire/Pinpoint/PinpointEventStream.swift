/// Where an application's events are copied to as they come: PutEventStream.
///
/// Source: Pinpoint's service model, `WriteEventStream`.
public struct PinpointEventStream: Sendable, Hashable {
  /// The resource name of a stream or a delivery stream of this server.
  public var destination: String
  /// The role that AWS would take on; kept and told.
  public var role: String

  /// A stream from its parts.
  public init(destination: String, role: String) {
    self.destination = destination
    self.role = role
  }

  /// Reads a request.
  ///
  /// - Throws: A refusal when one of the two is missing or the first is no stream's resource name.
  public init(_ json: UnsafeRawBufferPointer) throws(AWSRefusal) {
    var reader = PinpointEndpointReader(json)
    var found: [String: String] = [:]
    try reader.object("The body") { (reader, name) throws(AWSRefusal) in
      guard ["DestinationStreamArn", "RoleArn"].contains(name) else { return try reader.skip() }
      found[name] = try reader.text(name)
    }
    guard reader.isAtEnd else { throw .badRequest("The body is not JSON.") }
    guard let destination = found["DestinationStreamArn"], let role = found["RoleArn"] else {
      throw .badRequest("DestinationStreamArn and RoleArn are needed.")
    }
    self.init(destination: destination, role: role)
    _ = try target
  }

  /// The service and the name of the stream.
  ///
  /// - Throws: A refusal for what is no stream's resource name.
  public var target: (service: AWSService, name: String) {
    get throws(AWSRefusal) {
      let parts = destination.split(separator: ":", omittingEmptySubsequences: false)
      let path = (parts.last ?? "").split(separator: "/")
      let kinds: [String: (AWSService, Substring)] = [
        "kinesis": (.kinesis, "stream"), "firehose": (.firehose, "deliverystream"),
      ]
      guard parts.count == 6, parts[0] == "arn", path.count == 2,
        let (service, word) = kinds[String(parts[2])], path[0] == word,
        StreamName.isValid(String(path[1]), service)
      else {
        throw .badRequest(
          "DestinationStreamArn must be the resource name of a Kinesis or Firehose stream, not \(destination)."
        )
      }
      return (service, String(path[1]))
    }
  }

  /// The EventStream.
  ///
  /// - Parameters:
  ///   - app: The application's id.
  ///   - changedAtMs: When it was last put, in milliseconds since 1970.
  ///   - changedBy: The access key id of whoever put it.
  /// - Returns: The body.
  public func answer(app: String, changedAtMs: Int64, changedBy: String) -> String {
    JSONText.object([
      "ApplicationId": JSONText.quoted(app), "DestinationStreamArn": JSONText.quoted(destination),
      "LastModifiedDate": JSONText.quoted(UTCTime(changedAtMs).extended),
      "LastUpdatedBy": JSONText.quoted(changedBy), "RoleArn": JSONText.quoted(role),
    ])
  }
}
