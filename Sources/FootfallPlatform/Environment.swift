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
  /// Tells whether there is a network.
  package var connectivity: any Connectivity
  /// Tells when the user last touched keyboard or mouse.
  package var userActivity: any UserActivitySource
  /// Tells of the exception that ends the process; of none unless the platform's adapter is put here.
  package var exceptions: any ExceptionSource = NoExceptions()
  /// Tells when the process ends by itself or by a signal, for who asks.
  package var processEnd: any ProcessEnd
  /// What is said about the app and the device with every batch.
  package var device: DeviceContext
  /// The device's context with what may have changed read again.
  ///
  /// On Apple platforms also the vendor's id, once the main thread has read it. Ask at the start, at
  /// the foreground and at a new session, on the engine's thread.
  package var refreshDevice: @Sendable (DeviceContext) -> DeviceContext
  /// Waits until `refreshDevice` can tell everything there is, a second at most; no time at all where
  /// nothing is slow to be read.
  package var awaitDevice: @Sendable () -> Void
  /// Where unsent events are kept unless the configuration names a folder.
  package var storage: StorageLocation
  /// Readies a folder that exists for what is kept in it.
  ///
  /// On Apple platforms it stays out of backups and its files can be read from the first unlock on;
  /// on Linux nothing is done. Call it once per folder, on the engine's thread.
  package var prepareFolder: @Sendable (_ path: String) -> Void
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
  ///   - connectivity: Tells whether there is a network.
  ///   - userActivity: Tells when the user last touched anything.
  ///   - processEnd: Tells when the process ends.
  ///   - device: Describes the app and the device.
  ///   - refreshDevice: Reads again what may have changed.
  ///   - awaitDevice: Waits until that can tell everything.
  ///   - storage: The default folder.
  ///   - prepareFolder: Readies a folder.
  ///   - log: Takes log lines.
  package init(
    clocks: Clocks,
    sleep: @escaping @Sendable (TimeInterval) async -> Void,
    random: RandomSource,
    transport: any Transport,
    files: any FileSystem,
    gzip: Gzip,
    lifecycle: any AppLifecycle,
    connectivity: any Connectivity,
    userActivity: any UserActivitySource,
    processEnd: any ProcessEnd,
    device: DeviceContext,
    refreshDevice: @escaping @Sendable (DeviceContext) -> DeviceContext,
    awaitDevice: @escaping @Sendable () -> Void = {},
    storage: StorageLocation,
    prepareFolder: @escaping @Sendable (_ path: String) -> Void,
    log: Logger
  ) {
    self.clocks = clocks
    self.sleep = sleep
    self.random = random
    self.transport = transport
    self.files = files
    self.gzip = gzip
    self.lifecycle = lifecycle
    self.connectivity = connectivity
    self.userActivity = userActivity
    self.processEnd = processEnd
    self.device = device
    self.refreshDevice = refreshDevice
    self.awaitDevice = awaitDevice
    self.storage = storage
    self.prepareFolder = prepareFolder
    self.log = log
  }

  /// The wall clock: stamps events and survives a relaunch, and may jump.
  package var now: @Sendable () -> Date { clocks.now }
  /// The clock that only goes forward, for measuring waits.
  package var monotonic: @Sendable () -> MonotonicTime { clocks.monotonic }

  /// The real world, as far as it can be reached without an interface.
  ///
  /// Apps begin with `Environment.system(log:)` of `FootfallApple`, which adds the rest.
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
      connectivity: systemConnectivity(),
      userActivity: UnknownActivity(),
      processEnd: systemProcessEnd(log: log),
      device: .current,
      refreshDevice: { $0.refreshed() },
      storage: .standard(),
      prepareFolder: { FolderProtection.apply(to: $0, log: log) },
      log: log
    )
  }

  /// Who tells that this process ends, for clients that have to know before their world is made.
  package static func liveProcessEnd(log: Logger) -> any ProcessEnd { systemProcessEnd(log: log) }

  private static func wait(_ seconds: TimeInterval) async {
    let nanoseconds = seconds.isFinite ? min(max(seconds, 0), 1e9) * 1e9 : 1e18
    do {
      try await Task.sleep(nanoseconds: UInt64(nanoseconds))
    } catch {
      // Cancelled: the caller sees that by Task.isCancelled.
    }
  }
}
