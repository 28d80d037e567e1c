import Footfall
import FootfallCore
import FootfallEngine
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallPlatform

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: what is on the disk` {
  let world = LogsWorld()

  private var offline: LogsWorld {
    LogsWorld(ScriptedTransport(otherwise: .fail(.offline("no route"))), files: world.files)
  }

  /// Seven events of a process that was killed.
  private func sevenLeft() async {
    let client = offline.client()
    for number in 1...7 {
      client.track("record\(number)")
      await client.settle()
    }
    world.files.endProcess()
  }

  @Test func `SDL-20: a flipped byte costs one record, and gives one line`() async throws {
    await sevenLeft()
    let text = Array("\"record4\"".utf8)
    for path in world.files.paths where path.contains("/journal/") {
      guard var bytes = world.files.bytes(path),
        let place = bytes.indices.first(where: { bytes[$0...].starts(with: text) })
      else { continue }
      bytes[place + 7] ^= 1
      world.files.setBytes(path, bytes)
    }
    let client = world.client()
    await client.flush()
    // Those behind the damage are whole, and sent too.
    let names = try world.events.map(\.name)
    #expect(names == [1, 2, 3, 5, 6, 7].map { "record\($0)" })
    let said = world.lines.withLock { $0 }.filter { $0.level >= .info }
    #expect(said.count == 1 && said[0].message.contains("damaged"))
  }

  @Test func `SDL-21: a kill before a delivered batch is deleted sends the same ids again`()
    async throws
  {
    let client = world.client()
    for number in 0..<12 { client.track("e\(number)") }
    await client.settle()
    // From the answer on, nothing more reaches the disk.
    let files = world.files
    let left = Lock<MemoryFiles?>(nil)
    files.intercept { operation, path in
      if operation == .remove, path.hasSuffix(".batch") { left.withLock { $0 = files.copy() } }
      return nil
    }
    await client.flush()
    let next = LogsWorld(files: try #require(left.withLock { $0 }))
    let relaunched = next.client()
    await relaunched.untilDelivered(12)
    // A collector counts by id, whatever the letter case.
    let received = try world.events + next.events
    #expect(received.count == 24)
    #expect(Set(received.map { $0.event_id.lowercased() }).count == 12)
    #expect(try next.events.map(\.event_id) == world.events.map(\.event_id))
  }

  @Test func `SDL-17: steps with ids of their own are the same events at the next launch`()
    async throws
  {
    let steps = (1...5).map { number in
      (id: "0f0b7c9e-5a1d-4c2e-9d3f-00000000000\(number)", time: Double(number) * 3_600)
    }
    func send(_ world: LogsWorld) async {
      let client = world.client()
      for step in steps {
        let time = world.clock.now.addingTimeInterval(-86_400 + step.time)
        client.track("onboarding_step", at: time, eventID: UUID(uuidString: step.id))
      }
      await client.flush()
      client.shutdown(limitSeconds: 0)
    }
    await send(world)
    let again = LogsWorld(files: world.files)
    await send(again)
    let received = try world.events + again.events
    #expect(received.count == 10)
    // Which of them count is the collector's to say: by id, and these are the same events.
    #expect(Set(received).count == 5)
    #expect(Set(received.map(\.event_id)) == Set(steps.map(\.id)))
  }

  @Test func `SDL-137: the onboarding loop`() async throws {
    // 1, 2 and 3 June 2025, noon.
    let steps = [
      ("welcome", 1_748_779_200.0, "0f0b7c9e-0000-4000-8000-000000000001"),
      ("import", 1_748_865_600, "0f0b7c9e-0000-4000-8000-000000000002"),
      ("done", 1_748_952_000, "0f0b7c9e-0000-4000-8000-000000000003"),
    ]
    func loop(_ world: LogsWorld) async {
      let client = world.client()
      for (name, time, id) in steps {
        client.track(
          "onboarding_step",
          properties: ["step": .string(name)],
          at: Date(timeIntervalSince1970: time),
          eventID: UUID(uuidString: id)
        )
      }
      await client.flush()
      client.shutdown(limitSeconds: 0)
    }
    await loop(world)
    let first = try world.events
    #expect(first.map(\.name) == ["onboarding_step", "onboarding_step", "onboarding_step"])
    #expect(
      first.map(\.ts) == (1...3).map { "2025-06-0\($0)T12:00:00.000Z" }
    )
    #expect(first.map(\.event_id) == steps.map(\.2))
    #expect(first.map { $0["step"] } == ["welcome", "import", "done"])
    let again = LogsWorld(files: world.files)
    await loop(again)
    #expect(try Set(first + again.events).count == 3)
  }

  @Test func `SDL-119: all files lie in the app's folder of the product's name`() async throws {
    let support = StorageLocation.onApple(
      platform: "macOS",
      appID: "com.acme.app",
      product: "SimpleDataLogs"
    ) { $0 == .applicationSupport ? "/Users/ann/Library/Application Support" : nil }
    #expect(
      support.path == "/Users/ann/Library/Application Support/com.acme.app/SimpleDataLogs"
    )
    #if os(Linux)
    let location = StorageLocation.location(
      appID: "com.acme.app",
      product: "SimpleDataLogs",
      stateHome: "/state",
      home: "/home/ann"
    )
    #expect(location.path == "/state/com.acme.app/SimpleDataLogs")
    let own = "/\(StorageLocation.appID)/SimpleDataLogs"
    #expect(StorageLocation.simpleDataLogs.path.hasSuffix(own))
    #endif
    let client = world.client(.all, folder: support.path, activity: .automatic)
    client.track("a")
    await client.settle()
    await client.flush()
    #expect(world.files.paths.count > 2)
    #expect(world.files.paths.allSatisfy { $0.hasPrefix(support.path + "/") })
  }

  /// Readying a folder is what keeps it out of backups and gives its files the class.
  @Test func `SDL-25, SDL-120: the folder of all files is readied before anything is kept in it`()
    async throws
  {
    let offline = offline
    let client = offline.client(.all, activity: .automatic)
    client.track("a")
    await client.flush()
    #expect(offline.prepared.withLock { $0.map(\.folder) } == ["/client"])
    let before = try #require(offline.prepared.withLock { $0.first?.files })
    #expect(!before.contains { $0.hasSuffix(".batch") || $0.hasSuffix(".state") })
    #expect(before.allSatisfy { world.files.bytes($0)?.contains(UInt8(ascii: "{")) != true })
    let after = world.files.paths
    #expect(after.allSatisfy { $0.hasPrefix("/client/") })
    for kind in [".batch", ".state"] { #expect(after.contains { $0.hasSuffix(kind) }) }
    #expect(after.contains { $0.contains("/journal/") })
  }

  @Test func `SDL-120: an event of a locked device is kept and sent in the background`()
    async throws
  {
    // Files of the class are there from the first unlock on, so a lock changes nothing.
    let client = world.client()
    await client.settle()
    world.lifecycle.announce(.background)
    client.track("locked")
    await client.flush()
    #expect(try world.names == [["locked"]])
  }
}

#if os(Linux) || os(macOS)
/// Clients in child processes, on the real disk.
@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: the end of a process` {
  static let start = Date(timeIntervalSince1970: 1_782_900_000)

  static func folder(_ name: String, ofProcess process: Int32) -> String {
    FileManager.default.temporaryDirectory.path + "/footfall-logs-\(process)-\(name)"
  }

  static func client(
    _ folder: String,
    _ clock: ManualClock,
    _ transport: ScriptedTransport,
    log: Logger = .silent
  ) -> SimpleDataLogsClient {
    let environment = Environment.test(
      clock: clock,
      transport: transport,
      random: .system,
      storage: StorageLocation(path: folder),
      log: log
    )
    let client = SimpleDataLogsClient(clocks: environment.clocks, log: log)
    client.configure(
      ingestKey: "sdl_pub_x",
      autocapture: .all,
      in: { environment },
      end: environment.processEnd
    )
    return client
  }

  /// A launch, an event after a minute, and whatever ends the process.
  static func run(_ name: String, _ end: () -> Void) async {
    let clock = ManualClock(start)
    let offline = ScriptedTransport(otherwise: .fail(.offline("")))
    let client = client(folder(name, ofProcess: getppid()), clock, offline)
    await client.settle()
    clock.advance(bySeconds: 60)
    client.track("a")
    await client.settle()
    end()
  }

  /// What the next launch tells, an hour later.
  private func next(_ name: String) async throws -> [String] {
    let folder = Self.folder(name, ofProcess: getpid())
    let transport = ScriptedTransport()
    let clock = ManualClock(Self.start.addingTimeInterval(3_600))
    let client = Self.client(folder, clock, transport)
    await client.flush()
    client.shutdown(limitSeconds: 0)
    try FileManager.default.removeItem(atPath: folder)
    let events = try transport.requests.flatMap {
      try JSONDecoder().decode(SentBody.self, from: Data($0.body)).events
    }
    return events.map { "\($0.name)@\($0.ts.dropFirst(11).prefix(8))" }
  }

  private static let told = [
    "session_start@10:00:00", "app_launched@10:00:00", "a@10:01:00", "session_end@10:01:00",
    "session_start@11:00:00", "app_launched@11:00:00",
  ]

  @Test func `SDL-114: a trap or a signal ends the session, and is no crash report`() async throws {
    await #expect(processExitsWith: .failure) {
      await Self.run("trap") { fatalError("on purpose") }
    }
    #expect(try await next("trap") == Self.told)
    await #expect(processExitsWith: .failure) {
      await Self.run("nil") {
        let nothing = [Int]().first
        // swift-format-ignore: NeverForceUnwrap
        print(nothing!)
      }
    }
    #expect(try await next("nil") == Self.told)
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      await Self.run("signal") { raise(SIGSEGV) }
    }
    #expect(try await next("signal") == Self.told)
  }

  #if os(Linux)
  /// A client that is refused, with the log of the product.
  static func refused(_ name: String) async {
    let folder = folder(name, ofProcess: getpid())
    let refusing = ScriptedTransport(otherwise: .status(401))
    let client = client(folder, ManualClock(start), refusing, log: .simpleDataLogs)
    client.track("a")
    await client.flush()
    await client.settle()
    client.shutdown(limitSeconds: 0)
    do { try FileManager.default.removeItem(atPath: folder) } catch {
      // Left to whoever cleans the temporary folder.
    }
  }

  @Test func `SDL-126: the log goes to standard error where SDL_LOG says so, else nowhere`()
    async throws
  {
    let loud = await #expect(
      processExitsWith: .success,
      observing: [\.standardErrorContent]
    ) {
      setenv("SDL_LOG", "debug", 1)
      await Self.refused("loud")
    }
    let silent = await #expect(
      processExitsWith: .success,
      observing: [\.standardErrorContent]
    ) {
      unsetenv("SDL_LOG")
      await Self.refused("silent")
    }
    let subsystem = "com.simpledatalogs.sdk"
    let said = String(decoding: try #require(loud).standardErrorContent, as: UTF8.self)
    #expect(said.contains("\(subsystem) error: ") && said.contains("401"))
    let nothing = String(decoding: try #require(silent).standardErrorContent, as: UTF8.self)
    #expect(!nothing.contains(subsystem) && !nothing.contains("401"))
  }
  #endif
}
#endif
