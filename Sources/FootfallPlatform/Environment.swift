package import Foundation
package import FootfallSystem

/// Everything the library takes from the world, built once where the client is composed.
///
/// No code below the composition root reads a clock, a random source, a file or a socket by another
/// way. Tests replace members.
package struct Environment: Sendable {
  /// The clocks.
  package var clocks: Clocks
  /// Waits for some seconds, or until the surrounding task is cancelled, whichever comes first; a
  /// caller tells the two apart by `Task.isCancelled`.
  package var sleep: @Sendable (TimeInterval) async -> Void
  /// Random bytes for ids and jitter; draw them through a `RandomBytes` kept under your own lock.
  package var random: RandomSource
  /// Sends requests.
  package var transport: any Transport
  /// Reads and writes files.
  package var files: any FileSystem
  /// Compresses request bodies.
  package var gzip: Gzip
  /// Tells when the app comes, goes and ends.
  package var lifecycle: any AppLifecycle
  /// What is said about the app and the device with every batch.
  package var device: DeviceContext
  /// Where unsent events are kept unless the configuration names a folder.
  package var storage: StorageLocation
  /// Takes sentences about the library's own work.
  package var log: Logger

  /// Makes an environment of given parts.
  ///
  /// - Parameters:
  ///   - clocks: The clocks.
  ///   - sleep: Waits for some seconds.
  ///   - random: Random bytes.
  ///   - transport: Sends requests.
  ///   - files: Reads and writes files.
  ///   - gzip: Compresses bodies.
  ///   - lifecycle: Tells the app's phases.
  ///   - device: Describes the app and the device.
  ///   - storage: The default folder.
  ///   - log: Takes log lines.
  package init(
    clocks: Clocks,
    sleep: @escaping @Sendable (TimeInterval) async -> Void,
    random: RandomSource,
    transport: any Transport,
    files: any FileSystem,
    gzip: Gzip,
    lifecycle: any AppLifecycle,
    device: DeviceContext,
    storage: StorageLocation,
    log: Logger
  ) {
    self.clocks = clocks
    self.sleep = sleep
    self.random = random
    self.transport = transport
    self.files = files
    self.gzip = gzip
    self.lifecycle = lifecycle
    self.device = device
    self.storage = storage
    self.log = log
  }

  /// The wall clock: stamps events and survives a relaunch, and may jump.
  package var now: @Sendable () -> Date { clocks.now }
  /// The clock that only goes forward, for measuring waits.
  package var monotonic: @Sendable () -> MonotonicTime { clocks.monotonic }

  /// The real world.
  ///
  /// - Parameters:
  ///   - lifecycle: The platform's adapter, from `FootfallApple`'s `SystemLifecycle.make()`.
  ///   - log: Where the library's own sentences go.
  /// - Returns: An environment whose transport starts no thread before its first request.
  package static func live(
    lifecycle: any AppLifecycle = HeadlessLifecycle(),
    log: Logger = Logger()
  ) -> Environment {
    Environment(
      clocks: .system,
      sleep: { seconds in await wait(seconds) },
      random: .system,
      transport: systemTransport(log: log),
      files: PosixFiles(),
      gzip: .system(log: log),
      lifecycle: lifecycle,
      device: .current,
      storage: .standard(),
      log: log
    )
  }

  private static func wait(_ seconds: TimeInterval) async {
    let nanoseconds = seconds.isFinite ? min(max(seconds, 0), 1e9) * 1e9 : 1e18
    do {
      try await Task.sleep(nanoseconds: UInt64(nanoseconds))
    } catch {
      // Cancelled: the caller sees that by Task.isCancelled.
    }
  }
}
