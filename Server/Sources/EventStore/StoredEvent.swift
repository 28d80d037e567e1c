public import EventRecord

/// One event as a store keeps it and pages show it.
///
/// All times are milliseconds since 1970 (UTC). Texts that were not given are empty. JSON texts are
/// objects, minified, as the client sent them.
public struct StoredEvent: Sendable, Hashable {
  /// The key under which the event counts once, see `EventKey`.
  public var key: EventKey
  /// The project's number in the catalogue.
  public var project: UInt32
  /// What the record asks for; only `.event` is counted in charts.
  public var kind: EventRecord.Kind
  /// True for events of debug builds and internal devices; hidden from charts by default.
  public var isTest: Bool
  /// The event's name.
  public var name: String
  /// The event's own time, as the client sent it.
  public var timestampMs: Int64
  /// The own time after removing the client's clock error; what insights use.
  public var correctedMs: Int64
  /// When the server received the request.
  public var receivedMs: Int64
  /// The client's counter; events of one client are ordered by it.
  public var sequence: Int64
  /// The event's own id as sent; empty when its protocol has none.
  public var id: String
  /// The device's id.
  public var deviceID: String
  /// The person's id.
  public var userID: String
  /// The session's id.
  public var sessionID: String
  /// The event's properties, a JSON object.
  public var properties: String
  /// The groups, a JSON object.
  public var groups: String
  /// Property operations, a JSON object.
  public var operations: String
  /// What the protocol sent beside all this, a JSON object.
  public var context: String
  /// The sending library, system, device model and app, a JSON object; the same for a whole request.
  public var client: String

  /// An event from its parts; texts are empty unless given.
  public init(
    key: EventKey,
    project: UInt32,
    kind: EventRecord.Kind = .event,
    isTest: Bool = false,
    name: String,
    timestampMs: Int64,
    correctedMs: Int64? = nil,
    receivedMs: Int64? = nil,
    sequence: Int64 = 0,
    id: String = "",
    deviceID: String = "",
    userID: String = "",
    sessionID: String = "",
    properties: String = "",
    groups: String = "",
    operations: String = "",
    context: String = "",
    client: String = ""
  ) {
    self.key = key
    self.project = project
    self.kind = kind
    self.isTest = isTest
    self.name = name
    self.timestampMs = timestampMs
    self.correctedMs = correctedMs ?? timestampMs
    self.receivedMs = receivedMs ?? timestampMs
    self.sequence = sequence
    self.id = id
    self.deviceID = deviceID
    self.userID = userID
    self.sessionID = sessionID
    self.properties = properties
    self.groups = groups
    self.operations = operations
    self.context = context
    self.client = client
  }

  /// True when the event belongs to a person: `person` is its user id or its device id.
  public func belongs(to person: String) -> Bool {
    userID == person || deviceID == person
  }
}

extension StoredEvent {
  /// The event of a record as a store keeps it.
  ///
  /// - Parameters:
  ///   - view: the event in the record; copied.
  ///   - header: what holds for the whole record.
  ///   - client: the record's description of the client.
  public init(_ view: EventView, header: RecordHeader, client: String) {
    let record = view.record
    let times = EventTimes(view, header: header)
    self.init(
      key: record.key,
      project: header.project,
      kind: record.kind,
      isTest: record.isTest,
      name: record.name,
      timestampMs: times.ownMs,
      correctedMs: times.correctedMs,
      receivedMs: times.receivedMs,
      sequence: record.sequence,
      id: record.id,
      deviceID: record.deviceID,
      userID: record.userID,
      sessionID: record.sessionID,
      properties: record.properties,
      groups: record.groups,
      operations: record.operations,
      context: record.context,
      client: client
    )
  }
}
