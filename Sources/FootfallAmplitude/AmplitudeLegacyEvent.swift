import FootfallCore

/// An event as the older client wrote it: some of its members have other names, or lie deeper.
///
/// Source: `amplitude.md` section 2.11, and the names of section 1.4.
enum AmplitudeLegacyEvent {
  /// The members that are named otherwise now.
  private static let renamed = [
    "timestamp": "time", "uuid": "insert_id", "$productId": "productId",
    "$quantity": "quantity", "$price": "price", "$revenueType": "revenueType",
  ]
  /// Those that lay in `api_properties`.
  private static let lifted = [
    "ios_idfa": "idfa", "ios_idfv": "idfv", "productId": "productId", "quantity": "quantity",
    "price": "price",
  ]
  /// Those that say nothing any more.
  private static let dropped: Set = ["api_properties", "sequence_number"]

  /// The event of a row; nil if its text is none.
  static func read(_ text: String, row: Int64) -> Event? {
    guard let written = AmplitudeEventReader.members(of: text.utf8) else { return nil }
    var members = Properties()
    for (key, value) in written where !dropped.contains(key) {
      members[renamed[key] ?? key] = value
    }
    members["event_id"] = .integer(row)
    if let library = written.object("library") {
      let parts = ["name", "version"].map { library.text($0) ?? "unknown" }
      members["library"] = .string(parts.joined(separator: "/"))
    }
    let nested = written.object("api_properties") ?? [:]
    for (key, value) in nested {
      if let name = lifted[key], members[name] == nil { members[name] = value }
    }
    for (key, value) in nested.object("location") ?? [:] { members["location_\(key)"] = value }
    return AmplitudeEventReader.event(of: members)
  }
}
