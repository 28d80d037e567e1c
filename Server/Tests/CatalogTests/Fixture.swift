import Catalog
import FootfallSystem
import Foundation

/// A catalogue in a folder of its own, with clocks that stand still until told to move.
final class Fixture: Sendable {
  let folder: String
  let path: String
  private let times = Lock((wallMs: Int64(1_764_581_400_000), monotonicNs: UInt64(5_000_000_000)))

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/catalog-\(UUID().uuidString)"
    path = folder + "/catalog.sqlite"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: folder) } catch { print(error) }
  }

  /// Opens the file as a process would; call it twice for two processes.
  func open() throws -> Catalog { try Catalog(path: path, clock: clock) }

  var clock: CatalogClock {
    CatalogClock(
      nowMs: { self.times.withLock { $0.wallMs } },
      monotonicNs: { self.times.withLock { $0.monotonicNs } }
    )
  }

  /// Somebody sets the machine's clock back.
  func setBack(milliseconds: Int64) { times.withLock { $0.wallMs -= milliseconds } }

  func advance(milliseconds: Int64) {
    times.withLock { times in
      times.wallMs += milliseconds
      times.monotonicNs += UInt64(milliseconds) * 1_000_000
    }
  }
}
