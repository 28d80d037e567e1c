import Catalog
import Foundation
import HTTPServing
import IngestLog
import Loader

/// What is known of a running server's parts, as findings for people.
struct ServerHealth {
  let log: IngestLogStatus
  let maxLogBytes: UInt64
  /// Why it takes nothing, if so.
  let refusal: String?
  let loader: LoaderStatus
  let freeBytes: UInt64?
  let usedBytes: UInt64
  let forecast: DiskForecast
  let storeBytes: UInt64
  /// What is known of the file of places; nil without one.
  let places: PlaceFinding?

  var findings: [Finding] {
    [logFinding, loaderFinding, poisonFinding, diskFinding, storeFinding]
      + [places].compactMap { $0?.finding }
  }

  private var logFinding: Finding {
    let room = LogRoom(unloadedBytes: log.unloadedBytes, maxBytes: maxLogBytes)
    let text =
      "\(Bytes.text(log.logBytes)) in \(Counted.text(log.segments, "segment")), of \(Bytes.text(maxLogBytes)); "
      + "\(Bytes.text(log.unloadedBytes)) not in the store yet"
    let problem = refusal.map { "takes nothing: \($0)" } ?? log.problem
    return Finding(
      "Ingest log",
      problem.map { "\($0); \(text)" } ?? text,
      isProblem: problem != nil || room.isShort
    )
  }

  private var loaderFinding: Finding {
    Finding(
      "Loading",
      loader.problem
        ?? "\(Counted.text(loader.stored, "event")) stored since the start, "
        + "\(Counted.text(loader.duplicates, "repeat")) left out, about \(loader.lagEvents) waiting",
      isProblem: loader.problem != nil
    )
  }

  private var poisonFinding: Finding {
    Finding(
      "Set aside",
      loader.poisonRecords == 0
        ? "nothing" : "\(Counted.text(loader.poisonRecords, "record")) that the store refused",
      isProblem: loader.poisonRecords > 0
    )
  }

  private var diskFinding: Finding {
    DiskFinding(freeBytes: freeBytes, usedBytes: usedBytes, forecast: forecast).finding
  }

  private var storeFinding: Finding {
    Finding("Store", "\(Bytes.text(storeBytes)) on disk")
  }
}

/// How much room there is, and for how long.
struct DiskFinding {
  let freeBytes: UInt64?
  let usedBytes: UInt64
  let forecast: DiskForecast

  /// Free bytes under which someone should look.
  static let minFreeBytes: UInt64 = 1 << 30
  /// Days left under which someone should look.
  static let minDaysLeft: Int64 = 14

  var finding: Finding {
    guard let freeBytes else {
      return Finding("Disk", "the system does not say how much is free", isProblem: true)
    }
    let growth =
      forecast.bytesPerDay.map { "; it grows by \(Bytes.text(UInt64($0))) a day" }
      ?? "; how fast it grows is not known yet"
    let left = forecast.daysLeft.map { ", enough for \(Counted.text($0, "day"))" } ?? ""
    return Finding(
      "Disk",
      "\(Bytes.text(usedBytes)) used by the data folder, \(Bytes.text(freeBytes)) free\(growth)\(left)",
      isProblem: freeBytes < Self.minFreeBytes
        || forecast.daysLeft.map { $0 < Self.minDaysLeft } ?? false
    )
  }
}

/// One thing that was looked at, and whether someone should do something.
public struct Finding: Sendable, Hashable {
  /// What was looked at.
  public let name: String
  /// What was found, for people.
  public let detail: String
  /// Whether someone should do something.
  public let isProblem: Bool

  /// A finding from its parts.
  public init(_ name: String, _ detail: String, isProblem: Bool = false) {
    self.name = name
    self.detail = detail
    self.isProblem = isProblem
  }
}

/// Sizes as people read them.
enum Bytes {
  /// Such as `16 GiB` or `1.5 MiB`.
  static func text(_ bytes: UInt64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1_024, unit < units.count - 1 {
      value /= 1_024
      unit += 1
    }
    let isWhole = unit == 0 || value >= 100 || value == value.rounded()
    return (isWhole ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)")
      + " \(units[unit])"
  }
}
