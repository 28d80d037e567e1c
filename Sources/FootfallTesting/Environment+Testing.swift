package import FootfallPlatform
package import FootfallSystem

extension Environment {
  /// A world that a test controls: no network, a clock that stands still, ids that count.
  ///
  /// - Parameters:
  ///   - clock: Gives both clocks and wakes sleepers.
  ///   - transport: Answers requests.
  ///   - files: Where files go; the real file system unless told otherwise.
  ///   - random: Bytes for ids and jitter; counting ones unless told otherwise.
  ///   - lifecycle: Announces phases.
  ///   - connectivity: Tells whether there is a network; it does unless told otherwise.
  ///   - userActivity: Tells of the user's input; knows nothing unless told otherwise.
  ///   - processEnd: Announces the end of the process.
  ///   - storage: The default folder.
  ///   - log: Takes log lines; silent unless told otherwise.
  /// - Returns: An environment that describes an iPhone and does not compress.
  package static func test(
    clock: ManualClock = ManualClock(),
    transport: any Transport = ScriptedTransport(),
    files: any FileSystem = PosixFiles(),
    random: RandomSource = .counting(),
    lifecycle: any AppLifecycle = ManualLifecycle(),
    connectivity: any Connectivity = ManualConnectivity(),
    userActivity: any UserActivitySource = UnknownActivity(),
    processEnd: any ProcessEnd = ManualProcessEnd(),
    storage: StorageLocation = StorageLocation(path: "/footfall"),
    log: Logger = .silent
  ) -> Environment {
    Environment(
      clocks: Clocks(
        now: { clock.now },
        monotonic: { clock.monotonic },
        awake: { clock.awake }
      ),
      sleep: { await clock.sleep($0) },
      random: random,
      transport: transport,
      files: files,
      gzip: .none,
      lifecycle: lifecycle,
      connectivity: connectivity,
      userActivity: userActivity,
      processEnd: processEnd,
      device: .test,
      refreshDevice: { $0 },
      storage: storage,
      prepareFolder: { _ in },
      log: log
    )
  }
}

extension DeviceContext {
  /// A phone of which the usual is known.
  package static let test = DeviceContext(
    library: "footfall-swift/0.0.0",
    platform: "iOS",
    os: "iOS 19.1",
    model: "iPhone17,2",
    app: "4.2.0",
    build: "881",
    locale: "en_GB"
  )
}
