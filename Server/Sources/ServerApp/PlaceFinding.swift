import Foundation
import Places

/// What is known of the file that tells where addresses are.
struct PlaceFinding {
  /// Days after which someone should get a newer file: networks move.
  static let maxAgeDays: Int64 = 365

  let path: String
  let description: PlaceTable.Description
  let nowMs: Int64

  var finding: Finding {
    let made = Date(timeIntervalSince1970: Double(description.builtAtSeconds))
      .formatted(.iso8601.year().month().day())
    let days = (nowMs / 1_000 - description.builtAtSeconds) / 86_400
    let isOld = days > Self.maxAgeDays
    return Finding(
      Self.name,
      "\(path): \(description.kind) of \(made)\(isOld ? ", which is \(days) days old: get a newer one" : "")",
      isProblem: isOld
    )
  }

  /// What the finding is called.
  static let name = "Places"
}
