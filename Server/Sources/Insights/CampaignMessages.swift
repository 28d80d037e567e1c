import EventRecord
public import EventStore

/// What became of messages that campaigns sent, by campaign and treatment.
///
/// Pinpoint's events tell of it: `_campaign.send` and `_email.send` of what was sent,
/// `_campaign.received_foreground` and `-_background` of what reached an app, `_campaign.opened_notification`
/// and `_email.open` of what was opened; their attributes name the campaign and the treatment.
public struct CampaignMessages: Insight {
  /// The messages of one treatment.
  public struct Treatment: Sendable, Hashable {
    /// The campaign's id; empty where the events name none.
    public var campaign: String
    /// The treatment's id; empty where the events name none.
    public var treatment: String
    /// How many messages were sent.
    public var sent = 0
    /// How many were received by an app that told.
    public var received = 0
    /// How many were opened.
    public var opened = 0

    /// The share of sent messages that were opened; nil where none was sent.
    public var openRate: Double? { sent == 0 ? nil : Double(opened) / Double(sent) }
  }

  static let sent = ["_campaign.send", "_email.send"]
  static let received = ["_campaign.received_foreground", "_campaign.received_background"]
  static let opened = ["_campaign.opened_notification", "_email.open"]

  /// Which events count.
  public var scope: Scope

  /// The messages of this scope.
  public init(_ scope: Scope) {
    self.scope = scope
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let campaign = Self.text("campaign_id", &statement)
    let treatment = Self.text("treatment_id", &statement)
    let isSent = Self.isOne(of: Self.sent, &statement)
    let isReceived = Self.isOne(of: Self.received, &statement)
    let isOpened = Self.isOne(of: Self.opened, &statement)
    return statement.sql(
      """
      SELECT \(campaign) AS campaign, \(treatment) AS treatment, count(*) FILTER (\(isSent)),
        count(*) FILTER (\(isReceived)), count(*) FILTER (\(isOpened))
      FROM \(scope.source(needsPerson: false))
      WHERE \(scope.admission(&statement)) AND \(scope.time(&statement))
        AND (\(isSent) OR \(isReceived) OR \(isOpened))
      GROUP BY campaign, treatment
      """
    )
  }

  private static func text(_ name: String, _ statement: inout Statement) -> String {
    let json = Field.property(name).json(&statement)
    return
      "coalesce(CASE WHEN json_type(\(json)) = 'VARCHAR' THEN json_extract_string(\(json), '$') END, '')"
  }

  private static func isOne(of names: [String], _ statement: inout Statement) -> String {
    "e.name IN (" + names.map { statement.bind($0) }.joined(separator: ", ") + ")"
  }

  /// The treatments, by campaign and treatment.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Treatment] {
    Self.sorted(
      try rows.map { row in
        Treatment(
          campaign: try row.text(0),
          treatment: try row.text(1),
          sent: Int(try row.integer(2)),
          received: Int(try row.integer(3)),
          opened: Int(try row.integer(4))
        )
      }
    )
  }

  /// The treatments by definition.
  public func output(over events: [StoredEvent]) -> [Treatment] {
    let reading = ScopeReading(scope, events)
    var found: [[String]: Treatment] = [:]
    for event in reading.admitted(events) {
      func text(_ name: String) -> String {
        if case .text(let text)? = reading.value(of: .property(name), event) { text } else { "" }
      }
      let (campaign, treatment) = (text("campaign_id"), text("treatment_id"))
      var entry =
        found[[campaign, treatment]] ?? Treatment(campaign: campaign, treatment: treatment)
      if Self.sent.contains(event.name) {
        entry.sent += 1
      } else if Self.received.contains(event.name) {
        entry.received += 1
      } else if Self.opened.contains(event.name) {
        entry.opened += 1
      } else {
        continue
      }
      found[[campaign, treatment]] = entry
    }
    return Self.sorted(Array(found.values))
  }

  private static func sorted(_ treatments: [Treatment]) -> [Treatment] {
    treatments.sorted { a, b in
      a.campaign == b.campaign
        ? bytesAscend(a.treatment, b.treatment) : bytesAscend(a.campaign, b.campaign)
    }
  }
}
