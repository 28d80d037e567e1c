import EventStore
import Foundation

/// The options that choose events, as several commands have them.
enum ConditionOptions {
  static let names: Set<String> = ["user", "device", "name", "from", "to"]

  static let usage = """
      --user ID           events of this user, and those without a user on their devices
      --device ID         events of this device
      --name NAME         events of this name
      --from TIME         events from this moment on: 2026-12-01, or 2026-12-01T09:30:00Z
      --to TIME           events before this moment
    """

  static func conditions(_ arguments: Arguments) throws(UsageError) -> EventConditions {
    var conditions = EventConditions()
    conditions.user = arguments.options["user"]
    conditions.device = arguments.options["device"]
    conditions.name = arguments.options["name"]
    conditions.fromMs = try arguments.moment("from")
    conditions.toMs = try arguments.moment("to")
    return conditions
  }
}

/// The options that say where the events are, as several commands have them.
enum PlaceOptions {
  static let names: Set<String> = ["project", "data", "share"]

  static let usage = """
      --project P         the project's number or name; not needed while there is one project
      --data DIR          the data folder (default ./data)
      --share DIR         the folder with libduckdb, for a server that does not run
    """
}

extension Arguments {
  /// An option as a moment, in milliseconds since 1970: a day (UTC) or a time in RFC 3339.
  func moment(_ name: String) throws(UsageError) -> Int64? {
    guard let text = options[name] else { return nil }
    guard let moment = WrittenMoment(text) else {
      throw UsageError(
        "--\(name) takes a day or a time, such as 2026-12-01 or 2026-12-01T09:30:00Z, not “\(text)”."
      )
    }
    return moment.ms
  }
}
