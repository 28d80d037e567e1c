import EventRecord
import Foundation

/// What a running server tells: warnings and, where asked for, requests; as text or as JSON.
struct ServerLog: Sendable {
  let isJSON: Bool
  let hasRequests: Bool
  let terminal: Terminal
  var now: @Sendable () -> Date = { Date() }

  /// Prints what an operator should know.
  func warn(_ message: String) {
    guard isJSON else { return terminal.error("Warning: \(message)") }
    terminal.error(
      "{\"time\":\"\(time)\",\"level\":\"warning\",\"message\":\(JSONQuoting.quoted(message))}"
    )
  }

  /// Prints a request's line of `key=value` pairs, if requests are to be printed.
  func request(_ line: String) {
    guard isJSON else { return terminal.out("\(time) \(line)") }
    let members = line.split(separator: " ").map { pair -> String in
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      let value = parts.count > 1 ? parts[1] : ""
      let json = Int(value).map { "\($0)" } ?? JSONQuoting.quoted(value)
      return "\(JSONQuoting.quoted(parts[0])):\(json)"
    }
    terminal.out(
      "{\"time\":\"\(time)\",\"level\":\"info\",\"message\":\"request\",\(members.joined(separator: ","))}"
    )
  }

  /// What `Server` is given.
  var accessLog: (@Sendable (String) -> Void)? {
    guard hasRequests else { return nil }
    return { request($0) }
  }

  private var time: String { now().formatted(.iso8601) }
}
