import FootfallCore
import FootfallOutbox
import FootfallPlatform

/// Losses that the server of a destination besides the client's own has not heard of survive the
/// end of the process; the client's own are in the client's state.
extension Destination {
  /// Takes over what an earlier run left.
  func loadLosses(_ opened: Outbox) {
    guard !isMain else { return }
    do throws(OutboxError) {
      let left = try LossFile(folder: opened.folder, files: environment.files).load()
      guard storedLosses.isEmpty else { return }
      unreported.add(left)
      storedLosses = left
    } catch {
      environment.log.warning("Earlier losses cannot be read: \(error)")
    }
  }

  /// Has the file written with the next sync.
  func saveLossesSoon() {
    guard !isMain, outbox != nil, !isClosed else { return }
    syncDeadline = syncDeadline ?? now + syncSeconds
  }

  /// Writes the file if it says something else.
  ///
  /// A process that ends before may tell the same losses twice, or not those of the last second.
  func saveLosses() {
    guard !isMain, isCollecting, let outbox, unreported != storedLosses else { return }
    do throws(OutboxError) {
      try LossFile(folder: outbox.folder, files: environment.files).save(unreported)
      storedLosses = unreported
    } catch {
      environment.log.warning("Losses could not be noted: \(error)")
    }
  }
}
