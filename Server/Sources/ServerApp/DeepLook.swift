import Catalog
import DuckDBStore
import FootfallJournal
import Foundation
import IngestLog

/// Reads the ingest log and the store of a stopped server through, for damage that opening them does not show.
///
/// Nothing changes.
struct DeepLook {
  static let logName = "Log, read through"
  static let storeName = "Store, read through"

  private let settings: ServerSettings
  private let progress: (String, Double) -> Void

  /// For a folder; `progress` is told what is being read, and how much of it has been, from 0 to 1.
  init(_ settings: ServerSettings, progress: @escaping (String, Double) -> Void) {
    self.settings = settings
    self.progress = progress
  }

  private var data: DataFolder { settings.data }

  /// Said while a server runs, which alone may read its store.
  func held(by process: Int32) -> Finding {
    Finding(
      Self.storeName,
      "not read, nor the log: process \(process) has them. Stop the server and look again; or leave it and look "
        + "over a copy: footfall backup COPY, footfall restore COPY --data OTHER, footfall doctor --deep --data OTHER",
      isProblem: true
    )
  }

  /// The log and the store.
  func all(of log: IngestLog) -> [Finding] {
    let reading: LogReading
    do {
      reading = try log.readThrough { progress("the ingest log", $0) }
    } catch {
      let found = Finding(Self.logName, error.description, isProblem: true)
      return [found] + store(log: nil)
    }
    return self.log(reading, of: log) + store(log: (log.recovery, reading))
  }

  private func log(_ reading: LogReading, of log: IngestLog) -> [Finding] {
    let known: JournalPosition?
    do {
      known =
        FileManager.default.fileExists(atPath: data.store)
        ? try OpenedStore.inspect(settings).position(ofLog: log.id) : nil
    } catch {
      // The line about the store says why; without it nothing counts as loaded.
      known = nil
    }
    let damages = LogDamage.all(in: reading, loadedUpTo: known)
    guard !damages.isEmpty else {
      return [
        Finding(
          Self.logName,
          "\(Counted.text(reading.records, "record")) in \(Counted.text(log.status.segments, "segment")), all whole"
        )
      ]
    }
    return damages.map { damage in
      Finding(Self.logName, damage.text(file: file(ofSegment: damage.segment)), isProblem: true)
    }
  }

  /// The store's file.
  ///
  /// - Parameter log: what is known of the log; nil where it cannot be read.
  /// - Returns: nothing where there is no file.
  func store(log: (JournalRecovery, LogReading)?) -> [Finding] {
    guard FileManager.default.fileExists(atPath: data.store) else { return [] }
    do {
      let reading = try OpenedStore.readThrough(settings) { table, fraction in
        progress("the store, table \(table)", fraction)
      }
      guard !reading.damages.isEmpty else {
        return [
          Finding(
            Self.storeName,
            "\(Counted.text(reading.rows, "row")) of \(Counted.text(reading.tables, "table")), all whole"
          )
        ]
      }
      let remedy = StoreRemedy(log: log).text
      let places = reading.damages.map(\.description).joined(separator: "; ")
      var more = ""
      if reading.moreDamages > 0 {
        more = "; and \(Counted.text(reading.moreDamages, "more place", "more places"))"
      }
      if reading.isCutShort { more += "; the rest could not be read after that" }
      return [
        Finding(
          Self.storeName,
          "\(data.store) is damaged. \(places)\(more). \(remedy)",
          isProblem: true
        )
      ]
    } catch { return [Finding(Self.storeName, "\(error)", isProblem: true)] }
  }

  /// A segment's file, which begins with its number.
  private func file(ofSegment number: UInt64) -> String {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: data.log)
      let name = names.filter { $0.hasSuffix(".journal") }
        .first { $0.prefix { $0 != "-" }.drop { $0 == "0" } == "\(number)" }
      if let name { return data.log + "/" + name }
    } catch {
      // Its number tells it, too.
    }
    return "segment \(number) in \(data.log)"
  }
}

/// What is damaged in one segment of a log, and what that means.
struct LogDamage: Equatable {
  let segment: UInt64
  /// What the store has.
  private(set) var loaded: [JournalGap] = []
  /// What it has not.
  private(set) var lost: [JournalGap] = []

  private init(segment: UInt64) {
    self.segment = segment
  }

  /// Each damaged segment, oldest first.
  ///
  /// - Parameters:
  ///   - reading: what reading all of the log came upon.
  ///   - position: up to where the store has it; nil for nothing.
  /// - Returns: none for an end that was never finished: nobody was answered for it.
  static func all(in reading: LogReading, loadedUpTo position: JournalPosition?) -> [Self] {
    var found: [UInt64: Self] = [:]
    let known = position ?? .start
    let torn = reading.tornTail.map { [$0] } ?? []
    for gap in reading.gaps + torn.filter({ $0.position < known }) {
      var damage = found[gap.position.segment] ?? Self(segment: gap.position.segment)
      // A header holds no record.
      if gap.position < known || gap.reason == .header {
        damage.loaded.append(gap)
      } else {
        damage.lost.append(gap)
      }
      found[gap.position.segment] = damage
    }
    return found.values.sorted { $0.segment < $1.segment }
  }

  /// What is damaged, where, and what to do.
  func text(file: String) -> String {
    let gaps = (loaded + lost).sorted { $0.position < $1.position }
    let places = gaps.prefix(5).map {
      "\(Counted.text(Int($0.bytes), "byte")) at \($0.position.offset) (\($0.reason.rawValue))"
    }
    let more = gaps.count > 5 ? " and \(gaps.count - 5) more places" : ""
    let meaning =
      lost.isEmpty
      ? "The store has the events that lay there: while it is whole nothing has to be done, and the file goes by "
        + "itself. It could not be made anew from the log, though: keep a backup of the data folder."
      : "No store has what lay there: those events are lost. Restore the data folder from a backup, or go on "
        + "without them."
    return "\(file) is damaged: \(places.joined(separator: ", "))\(more). \(meaning)"
  }
}

/// What to do about a store's file that is damaged.
struct StoreRemedy {
  /// Whether the log has everything that was ever sent.
  let isLogWhole: Bool

  /// By what is known of the log; nil where it cannot be read.
  init(log: (recovery: JournalRecovery, reading: LogReading)?) {
    isLogWhole =
      log.map {
        $0.recovery.removed == 0 && $0.recovery.missing.isEmpty && $0.reading.gaps.isEmpty
          && $0.reading.tornTail == nil && $0.reading.records > 0
      } ?? false
  }

  /// Sentences.
  var text: String {
    isLogWhole
      ? "Restore the data folder from a backup. Or move the file away: the next start makes it anew from the log, "
        + "which still has all that was ever sent to this server, but nothing that was imported."
      : "Restore the data folder from a backup; the log has not everything any more that the store would have to "
        + "be made anew from."
  }
}
