import Catalog
import DuckDBStore
import EventStore
import FootfallJournal
import Foundation
import IngestLog
import Loader
import Places

/// Looks a data folder over and says what it found, without changing anything.
///
/// What a running server holds (the log, the store) is looked at from outside only; its own page of the
/// system tells more.
public struct Doctor {
  private let settings: ServerSettings
  private let nowMs: Int64

  /// For the folder and the libraries that a server with these settings would use.
  public init(_ settings: ServerSettings) {
    self.init(settings, nowMs: WallClock.milliseconds())
  }

  init(_ settings: ServerSettings, nowMs: Int64) {
    self.settings = settings
    self.nowMs = nowMs
  }

  private var data: DataFolder { settings.data }

  /// Everything that was looked at, in order.
  public func examine() -> [Finding] { examine(nil) }

  /// The same, with the log and the store read through, which takes as long as reading their files does.
  ///
  /// - Parameter progress: told what is being read, and how much of it has been, from 0 to 1.
  /// - Returns: Everything that was looked at, in order.
  public func examineDeeply(progress: @escaping (String, Double) -> Void) -> [Finding] {
    examine(DeepLook(settings, progress: progress))
  }

  private func examine(_ deep: DeepLook?) -> [Finding] {
    var findings = [Finding("Versions", Versions.summary)]
    do {
      try data.checkExisting()
      findings.append(Finding("Data folder", data.path))
    } catch {
      // There is nothing else to look at.
      return findings + [Finding("Data folder", error.description, isProblem: true)]
    }
    findings.append(permissions)
    findings.append(clock)
    findings += catalogue
    findings.append(database("State", data.state))
    findings.append(database("Endpoints", data.endpoints))
    findings.append(poison)
    findings.append(LossNote(data).finding)
    findings += logAndStore(deep)
    findings += places
    return findings
  }

  // MARK: Files

  /// Whether only its owner may look inside, and this user may write.
  private var permissions: Finding {
    var problems: [String] = []
    for path in [data.path, data.catalogue, data.masterKey]
    where FileManager.default.fileExists(atPath: path) {
      do {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes[.posixPermissions] as? Int) ?? 0
        if mode & 0o077 != 0 {
          problems.append("\(path) is open to others (mode \(String(mode, radix: 8)))")
        }
      } catch { problems.append("\(path): \(error.localizedDescription)") }
      if !FileManager.default.isWritableFile(atPath: path) {
        problems.append("this user may not write \(path)")
      }
    }
    return Finding(
      "Permissions",
      problems.isEmpty ? "for its owner alone" : problems.joined(separator: "; "),
      isProblem: !problems.isEmpty
    )
  }

  /// A clock that stands before what was written already would date new events wrongly.
  private var clock: Finding {
    let newest =
      [data.catalogue, data.store, data.store + ".wal"].compactMap { path -> Int64? in
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
          let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
          return (date as? Date).map { Int64($0.timeIntervalSince1970 * 1_000) }
        } catch { return nil }
      }.max() ?? 0
    let behind = newest - nowMs
    let time = Date(timeIntervalSince1970: Double(nowMs) / 1_000).formatted(.iso8601)
    return Finding(
      "Clock",
      behind > 60_000
        ? "\(time), which is \(behind / 1_000) s before the data was last written: set it, events are dated by it"
        : time,
      isProblem: behind > 60_000
    )
  }

  private var poison: Finding {
    let folder = PoisonFolder(path: data.poison)
    do {
      let count = try folder.count()
      guard let first = try folder.entries(limit: 1).first else {
        return Finding("Set aside", "nothing")
      }
      return Finding(
        "Set aside",
        "\(Counted.text(count, "record")) that the store refused, such as \(first.name): \(first.reason). “footfall doctor --replay” loads them again.",
        isProblem: true
      )
    } catch {
      return Finding("Set aside", "\(data.poison) cannot be read: \(error)", isProblem: true)
    }
  }

  // MARK: Parts

  private var catalogue: [Finding] {
    guard !data.isNew else {
      return [Finding("Catalogue", "none yet; the first start makes it"), disk([])]
    }
    do {
      try data.checkCatalogue()
      // Before it is opened to be written, as which an older one would be brought to this program's format.
      let damaged = try DatabaseFile.damages(data.catalogue)
      guard damaged.isEmpty else {
        let damage = DamagedFile(path: data.catalogue, damages: damaged)
        return [Finding("Catalogue", damage.description, isProblem: true), disk([])]
      }
      let format = try DatabaseFile.format(data.catalogue)
      guard format >= Catalog.format else {
        return [Finding("Catalogue", Self.earlier(format)), disk([])]
      }
      let catalog = try Catalog(path: data.catalogue)
      let damages = try catalog.damages()
      let (projects, users) = (try catalog.projects().count, try catalog.users().count)
      var findings = [
        Finding(
          "Catalogue",
          damages.isEmpty
            ? "format \(Catalog.format), \(Counted.text(projects, "project")), \(Counted.text(users, "person", "people"))"
            : "damaged: \(damages.joined(separator: "; ")). Restore it from a backup.",
          isProblem: !damages.isEmpty
        ), disk(try catalog.diskDays(fromDay: nowMs / 86_400_000 - 14)),
        JobFinding(try catalog.jobs(.all, limit: 1_000), nowMs: nowMs).finding,
      ]
      if let problem = try RetentionClock(of: catalog, nowMs: nowMs).problem {
        findings.append(Finding("Retention", problem, isProblem: true))
      }
      let early = try catalog.erasures().filter { $0.askedAtMs > nowMs + 60_000 }
      if let last = early.last {
        let until = Date(timeIntervalSince1970: Double(last.askedAtMs) / 1_000).formatted(.iso8601)
        findings.append(
          Finding(
            "Erasures",
            "\(Counted.text(early.count, "erasure")) asked for while the clock was ahead, the last of \(until): until then what comes of the erased is left out. A server that runs corrects what is more than two days ahead.",
            isProblem: true
          )
        )
      }
      if let problem = catalog.awsKeyProblem {
        findings.append(Finding("AWS keys", problem, isProblem: true))
      }
      return findings
    } catch {
      return [Finding("Catalogue", "\(error)", isProblem: true), disk([])]
    }
  }

  private static func earlier(_ format: Int) -> String {
    "format \(format), of an earlier version: whole, but its projects, jobs and erasures are looked at only after the next start, "
      + "which brings it to format \(Catalog.format)"
  }

  /// The file of places, if this command was told of one.
  private var places: [Finding] {
    guard let path = settings.places else { return [] }
    do {
      // A copy of its own: a running server may open its own at this moment.
      let table = try PlaceTable(path: path, copy: data.placesCopy + ".doctor")
      return [PlaceFinding(path: path, description: table.description, nowMs: nowMs).finding]
    } catch {
      return [Finding(PlaceFinding.name, error.description, isProblem: true)]
    }
  }

  /// A database of which the server knows the rest.
  private func database(_ name: String, _ path: String) -> Finding {
    guard FileManager.default.fileExists(atPath: path) else {
      return Finding(name, "none yet; a start makes it")
    }
    do {
      let damages = try DatabaseFile.damages(path)
      guard damages.isEmpty else {
        return Finding(
          name,
          DamagedFile(path: path, damages: damages).description,
          isProblem: true
        )
      }
      return Finding(name, Bytes.text(DiskSpace.size(of: path)))
    } catch {
      return Finding(name, "\(error)", isProblem: true)
    }
  }

  private func disk(_ days: [DiskDay]) -> Finding {
    let free = DiskSpace.free(at: data.path)
    return DiskFinding(
      freeBytes: free,
      usedBytes: DiskSpace.used(at: data.path),
      forecast: DiskForecast(days, freeBytes: free ?? 0)
    ).finding
  }

  private func logAndStore(_ deep: DeepLook?) -> [Finding] {
    guard !data.isLogLost else {
      // Opening it would make it.
      let found = Finding("Ingest log", LogReview.wholeLog, isProblem: true)
      return [found] + (deep?.store(log: nil) ?? [])
    }
    guard FileManager.default.fileExists(atPath: data.log) else {
      return [
        Finding("Server", "does not run"),
        Finding("Ingest log", "none yet; the next start makes it"),
        Finding("Store", "none yet; the next start makes it"),
      ]
    }
    let log: IngestLog
    do {
      log = try IngestLog(lookingInto: data.log, settings: settings.log)
    } catch {
      guard case .locked(pid: let pid) = error.cause else {
        return [Finding("Ingest log", error.description, isProblem: true)]
      }
      let running = Finding(
        "Server",
        "runs as process \(pid) and holds the log and the store; its System page and /readyz tell of them"
      )
      return [running] + (deep.map { [$0.held(by: pid)] } ?? [])
    }
    defer { log.close() }
    let found = [Finding("Server", "does not run"), logFinding(log), store(log)]
    return found + (deep?.all(of: log) ?? [])
  }

  private func logFinding(_ log: IngestLog) -> Finding {
    let damaged = log.recovery.gaps.reduce(0) { $0 + $1.bytes }
    let size =
      "\(Bytes.text(log.status.logBytes)) in \(Counted.text(log.status.segments, "segment"))"
    return Finding(
      "Ingest log",
      damaged == 0
        ? size
        : "\(size), of which \(Counted.text(damaged, "byte")) \(damaged == 1 ? "is" : "are") damaged and passed over",
      isProblem: damaged > 0
    )
  }

  private func store(_ log: IngestLog) -> Finding {
    guard FileManager.default.fileExists(atPath: data.store) else {
      // Opening it would make it.
      let losses = LogReview(log.recovery, loadedUpTo: nil).losses
      return Finding(
        "Store",
        (["none yet; the next start makes it and loads the log"] + losses).joined(separator: ". "),
        isProblem: !losses.isEmpty
      )
    }
    do {
      let known = try OpenedStore.inspect(settings).position(ofLog: log.id)
      let losses = LogReview(log.recovery, loadedUpTo: known).losses
      guard losses.isEmpty else {
        return Finding("Store", losses.joined(separator: " "), isProblem: true)
      }
      log.markLoaded(upTo: known ?? .start)
      let waiting = log.status.unloadedBytes
      return Finding(
        "Store",
        waiting == 0
          ? "\(Bytes.text(DiskSpace.size(of: data.store))), has everything of the log"
          : "\(Bytes.text(DiskSpace.size(of: data.store))); \(Bytes.text(waiting)) of the log are loaded when the server starts"
      )
    } catch { return Finding("Store", "\(error)", isProblem: true) }
  }

  /// Hands the records that were set aside to the log of a server that does not run.
  ///
  /// - Returns: How many; the next start loads them.
  /// - Throws: `StartError.held` while a server runs, `ReplayError`.
  public func replay() throws -> Int {
    try data.checkExisting()
    let log = try Server.openLog(settings)
    defer { log.close() }
    return try PoisonFolder(path: data.poison).replay(into: log)
  }
}
