import FootfallCore
import FootfallOutbox
import FootfallPlatform

/// Losses that a destination's server has not heard of survive the end of the process: the client's
/// own in the client's state, others in a file of their own.
extension Destination {
  /// Takes over what an earlier run left.
  func loadLosses(_ opened: Outbox) {
    guard !isMain else { return }
    do throws(OutboxError) {
      let left = try LossFile(folder: opened.folder, files: files).load()
      guard storedLosses.isEmpty else { return }
      unreported.add(left)
      storedLosses = left
    } catch {
      environment.log.warning("Earlier losses cannot be read: \(error)")
    }
  }

  /// Has the file written with the next sync.
  func saveLossesSoon() {
    guard outbox != nil, !isClosed else { return }
    syncDeadline = syncDeadline ?? now + syncSeconds
  }

  /// Writes them if the disk says something else.
  ///
  /// A process that ends before may tell the same losses twice, or not those of the last second.
  func saveLosses() {
    guard isCollecting, let outbox, unreported != storedLosses else { return }
    guard !isMain else { return host?.saveLosses(of: self) ?? () }
    do throws(OutboxError) {
      try LossFile(folder: outbox.folder, files: files).save(unreported)
      storedLosses = unreported
    } catch {
      environment.log.warning("Losses could not be noted: \(error)")
    }
  }
}
