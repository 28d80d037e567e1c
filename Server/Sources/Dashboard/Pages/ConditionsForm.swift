import Catalog
import EventStore
import Foundation

/// Which events are meant, as text fields.
struct ConditionsForm {
  /// Which form it was typed into.
  var form = ""
  var user = ""
  var device = ""
  var name = ""
  /// A day, `2026-12-01`.
  var from = ""
  /// A day, this one included.
  var to = ""

  /// What they say; days are counted in the project's time zone.
  ///
  /// - Throws: `CatalogError.invalid` for what is no day, or is too long.
  func conditions(in zone: TimeZone) throws(CatalogError) -> EventConditions {
    var conditions = EventConditions()
    conditions.user = try Self.text(user, "A user’s id", max: 1_024, of: "user")
    conditions.device = try Self.text(device, "A device’s id", max: 1_024, of: "device")
    conditions.name = try Self.text(name, "An event’s name", max: 256, of: "name")
    conditions.fromMs = try Self.start(of: from, daysLater: 0, in: zone, field: "from")
    conditions.toMs = try Self.start(of: to, daysLater: 1, in: zone, field: "to")
    return conditions
  }

  private static func text(
    _ text: String,
    _ what: String,
    max: Int,
    of field: String
  ) throws(CatalogError) -> String? {
    guard text.unicodeScalars.count <= max else {
      throw .invalid(field: field, reason: "\(what) has at most \(max) characters.")
    }
    return text.isEmpty ? nil : text
  }

  private static func start(
    of day: String,
    daysLater: Int,
    in zone: TimeZone,
    field: String
  ) throws(CatalogError) -> Int64? {
    let day = day.trimmingCharacters(in: .whitespaces)
    guard !day.isEmpty else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
    do {
      let parsed = try style.parse(day)
      // The style takes the start of a text for all of it, and 30 February for a day in March.
      guard style.format(parsed) == day else { throw CocoaError(.formatting) }
      let start = calendar.startOfDay(for: parsed)
      let moment = calendar.date(byAdding: .day, value: daysLater, to: start) ?? start
      return Int64((moment.timeIntervalSince1970 * 1_000).rounded())
    } catch {
      throw .invalid(field: field, reason: "“\(day)” is not a day written 2026-12-01.")
    }
  }
}
