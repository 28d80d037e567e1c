package import FootfallCore
import FootfallPlatform
import FootfallSystem

/// What becomes of crashes: of those to come, and of the one that ended the process before.
package struct CrashSettings: Sendable, Equatable {
  /// Whether an exception that nobody catches is saved, and told at the next launch.
  ///
  /// If not, what an earlier launch saved is deleted.
  package var isOn: Bool
  /// What is taken out of the reason, before it is on disk; nil for nothing.
  package var redaction: ReasonRedaction?

  /// Settings from their parts.
  package init(isOn: Bool, redaction: ReasonRedaction? = nil) {
    self.isOn = isOn
    self.redaction = redaction
  }
}

/// The file in which a crash waits for the next launch.
struct CrashFile: Sendable {
  private let folder: String
  private let files: any FileSystem
  private let log: Logger

  /// The file in a client's folder.
  init(_ settings: EngineSettings, _ environment: Environment) {
    folder = settings.main.folder
    files = settings.main.files ?? environment.files
    log = environment.log
  }

  private var path: String { folder + "/crash" }

  /// Keeps a crash in the place of an earlier one; on the thread that crashed.
  func write(_ record: CrashRecord) {
    do throws(SystemError) {
      try files.makeFolder(folder)
      try files.replace(path, with: record.bytes)
    } catch {
      log.error("A crash could not be saved: \(error)")
    }
  }

  /// The crash that waits; nil for none.
  func read() -> CrashRecord? {
    guard files.exists(path) else { return nil }
    do throws(SystemError) {
      if let record = CrashRecord(try files.readAll(path)) { return record }
      log.warning("A saved crash cannot be read; it is deleted.")
    } catch {
      log.warning("A saved crash cannot be read; it is deleted: \(error)")
    }
    remove()
    return nil
  }

  /// Deletes what waits.
  func remove() {
    guard files.exists(path) else { return }
    do throws(SystemError) { try files.remove(path) } catch {
      log.error("A saved crash could not be deleted: \(error)")
    }
  }
}

extension Engine {
  /// Saves the exception that ends the process, if that is wanted and events are taken then.
  func watchCrashes(_ setup: Setup) {
    guard let crashes = setup.settings.crashes, crashes.isOn else { return }
    let (environment, inbox) = (setup.environment, inbox)
    let file = CrashFile(setup.settings, environment)
    // Drawn now: when the process crashes, as little as possible is asked of it.
    var random = RandomBytes(environment.random)
    let id = DeviceID.make(using: &random)
    let isWatched = environment.exceptions.watch { exception in
      guard inbox.mode == .collecting else { return }
      file.write(
        CrashRecord(
          exception,
          redaction: crashes.redaction,
          id: id,
          milliseconds: environment.clocks.moment.wallMilliseconds
        )
      )
    }
    if !isWatched { environment.log.debug("This system has no exceptions: no crash is captured.") }
  }
}

extension EngineLoop {
  /// Where a crash waits; nil for a client that has nothing to do with them.
  var crashFile: CrashFile? { settings.crashes.map { _ in CrashFile(settings, environment) } }

  /// The crash to be told by this launch; one that is not to be told is deleted.
  func takeCrash() -> CrashRecord? {
    guard let crashes = settings.crashes, let file = crashFile else { return nil }
    guard crashes.isOn, consent.isCollecting else {
      file.remove()
      return nil
    }
    return file.read()?.redacted(crashes.redaction)
  }

  /// The crash was told: its file goes once the event is stored, and is told again if it is not.
  ///
  /// The event keeps its id, so that telling it twice does not count twice.
  func forgetToldCrash() {
    if main.outbox != nil { crashFile?.remove() }
  }
}
