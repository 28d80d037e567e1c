import Catalog
import EndpointStore
import EventRecord
import EventStore
import FootfallJournal
import Foundation
import FootfallSystem
import IngestLog
import Loader
import ServerApp
import Testing
import Wire

/// A data folder with a log and a store in memory, as after a restart when made again.
private final class World {
  struct Killed: Error {}

  let folder: String
  let store: InMemoryEventStore
  let log: IngestLog
  let catalog: Catalog
  let erasing: Erasing
  let setAside: PoisonFolder

  /// What the machine's clock shows.
  let clockMs: Lock<Int64>

  init(
    folder: String? = nil,
    store: InMemoryEventStore = InMemoryEventStore(),
    clockMs: Int64 = 1_000
  ) throws {
    let clock = Lock(clockMs)
    self.clockMs = clock
    self.folder = folder ?? NSTemporaryDirectory() + "footfall-erase-" + UUID().uuidString
    self.store = store
    try DataFolder(path: self.folder).prepare()
    log = try IngestLog(folder: self.folder + "/log", keepsItself: false)
    catalog = try Catalog(path: self.folder + "/catalogue.sqlite")
    if try catalog.projects().isEmpty { _ = try catalog.createProject(name: "Notes") }
    setAside = PoisonFolder(path: self.folder + "/poison")
    erasing = Erasing(
      catalog: catalog,
      store: store,
      log: log,
      setAside: setAside,
      nowMs: { clock.withLock { $0 } }
    )
  }

  static func record(_ users: [String], atMs: Int64 = 10) -> [UInt8] {
    RecordWriter.record(
      RecordHeader(source: .native, project: 1, receivedAtMs: atMs),
      context: #"{"library":"test/1.0"}"#,
      events: users.enumerated().map { number, user in
        EventRecord(
          key: .native(project: 1, id: "\(user) \(number) \(atMs)"),
          timestampMs: atMs,
          id: "\(user) \(number)",
          name: "Opened",
          deviceID: "device of \(user)",
          userID: user
        )
      }
    )
  }

  /// Puts a record where those lie that no store took.
  func setAside(_ record: [UInt8], _ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/poison",
      withIntermediateDirectories: true
    )
    try Data(record).write(to: URL(fileURLWithPath: "\(folder)/poison/\(name).record"))
    try Data("no such column\n".utf8)
      .write(to: URL(fileURLWithPath: "\(folder)/poison/\(name).reason"))
  }

  /// Writes events of some users into the log, and loads what is not loaded yet.
  func add(_ users: String..., atMs: Int64 = 10, loads: Bool = true) throws {
    let record = Self.record(users, atMs: atMs)
    _ = log.submit(record) { _ in }
    log.drain()
    if loads { try load() }
  }

  func load() throws {
    let start = try store.position(ofLog: log.id) ?? .start
    var batch = LoadBatch(log: log.id, start: start)
    batch.erased = try erasing.erased()
    let read = try log.read(from: start) { batch.append($0, upTo: $1) }
    batch.end = read.next
    _ = try store.load(batch)
  }

  func restarted() throws -> World {
    log.close()
    return try World(folder: folder, store: store)
  }

  func remove() {
    log.close()
    do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
  }

  var storedUsers: [String] { store.events.map(\.userID) }

  var loggedUsers: [String] {
    get throws {
      var users: [String] = []
      var failure: (any Error)?
      _ = try log.read(from: .start) { record, _ in
        do { users += try RecordReader.events(of: Array(record)).map(\.userID) } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return users
    }
  }

  /// Whether a text stands anywhere in the log's files.
  func logHolds(_ text: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/log").contains { name in
      try Data(contentsOf: URL(fileURLWithPath: folder + "/log/" + name))
        .range(of: Data(text.utf8)) != nil
    }
  }

  static var john: EventConditions {
    var conditions = EventConditions()
    conditions.user = "john"
    return conditions
  }
}

@Suite struct `Erasing a person` {
  @Test func `a user goes from the store and from the log, loaded or not, and nobody else does`()
    throws
  {
    let world = try World()
    defer { world.remove() }
    try world.add("john", "mary")
    try world.add("john", loads: false)
    #expect(try world.erasing.count(World.john, of: 1) == 1)
    #expect(try world.logHolds("john"))
    var steps: [Erasing.Step] = []
    #expect(try world.erasing.erase(World.john, of: 1, by: .commandLine) { steps.append($0) } == 1)
    #expect(steps == Erasing.Step.allCases)
    #expect(world.storedUsers == ["mary"])
    #expect(try world.loggedUsers == ["mary"])
    #expect(try !world.logHolds("john"))
    // Positions are what they were: loading goes on.
    try world.load()
    try world.add("mary")
    #expect(world.storedUsers == ["mary", "mary"])
    let entry = try #require(try world.catalog.erasures().first)
    #expect(entry.removed == 1)
    #expect(entry.doneAtMs == 1_000)
    #expect(!entry.document.contains("john"))
    #expect(try world.catalog.audit(project: 1).contains { $0.action == "events.erase" })
  }

  @Test func `asked for while the clock is ahead, it keeps out nothing once that is set back`()
    throws
  {
    let day: Int64 = 86_400_000
    let now = 1_000 * day
    let world = try World(clockMs: now)
    defer { world.remove() }
    try world.catalog.setRetentionClock(#"{"trustedMs":\#(now)}"#)
    try world.add("john", "mary", atMs: now - day)
    world.clockMs.withLock { $0 = now + 10 * day }
    try world.add("john", atMs: now + 10 * day - 1)
    #expect(try world.erasing.erase(World.john, of: 1, by: .commandLine) == 2)
    #expect(try world.erasing.followClock() == 0)
    world.clockMs.withLock { $0 = now + 1_000 }
    #expect(try world.erasing.followClock() == 1)
    #expect(try world.erasing.followClock() == 0)
    // What was before stays out, what comes now is new.
    try world.add("john", atMs: now - 2 * day)
    #expect(world.storedUsers == ["mary"])
    try world.add("john", atMs: now + 2_000)
    #expect(world.storedUsers == ["mary", "john"])
    #expect(try world.catalog.audit(project: 1).contains { $0.action == "events.erase.clock" })
  }

  @Test(
    arguments: [
      // A clock that is believed, and one that was only set back.
      (nil, 500, nil), (nil, 5_000, nil),
      // One that was ahead: as long as it is, and once it is set back, as far as before it leapt.
      (1_000, 9_000, nil), (1_000, 3_000, 3_000), (1_000, 500, 1_000),
    ] as [(Int64?, Int64, Int64?)]
  )
  func `counts as asked for by the clock that is right`(
    doubtedSince: Int64?,
    now: Int64,
    asked: Int64?
  ) {
    var erasure = Erasure(id: 1, project: 1, askedAtMs: 9_000)
    erasure.doubtedSinceMs = doubtedSince
    #expect(erasure.believed(nowMs: now)?.askedAtMs == asked)
  }

  @Test(arguments: Erasing.Step.allCases)
  func `after a kill at any step the next start finishes it`(step: Erasing.Step) throws {
    var world = try World()
    defer { world.remove() }
    try world.add("john", "mary")
    #expect(throws: World.Killed.self) {
      try world.erasing.erase(World.john, of: 1, by: .commandLine) {
        if $0 == step { throw World.Killed() }
      }
    }
    world = try world.restarted()
    #expect(try world.erasing.resume() == 1)
    #expect(world.storedUsers == ["mary"])
    #expect(try !world.logHolds("john"))
    #expect(try world.erasing.resume() == 0)
    #expect(try world.catalog.erasures().allSatisfy { $0.doneAtMs != nil })
  }

  @Test func `a restored copy of the store is caught up, and the log does not bring anything back`()
    throws
  {
    var world = try World()
    defer { world.remove() }
    try world.add("john", "mary")
    let copy = InMemoryEventStore(world.store.events)
    _ = try world.erasing.erase(World.john, of: 1, by: .server)
    world.log.close()
    world = try World(folder: world.folder, store: copy)
    #expect(world.storedUsers == ["john", "mary"])
    #expect(try world.erasing.resume() == 1)
    #expect(world.storedUsers == ["mary"])
    let empty = InMemoryEventStore()
    world.log.close()
    world = try World(folder: world.folder, store: empty)
    try world.load()
    #expect(world.storedUsers == ["mary"])
  }

  @Test func `what arrives later of what was erased is not stored`() throws {
    let world = try World()
    defer { world.remove() }
    try world.add("john")
    _ = try world.erasing.erase(World.john, of: 1, by: .server)
    try world.add("john", "mary")
    #expect(world.storedUsers == ["mary"])
  }

  @Test func `a device goes from what Phase's clients registered, with its sessions`() throws {
    let world = try World()
    defer { world.remove() }
    let state = try StateStore(path: ":memory:")
    defer { state.close() }
    let session = #"{"project":1,"device":"%","started":1,"last":1}"#
    try state.run { transaction throws(CatalogError) in
      for device in ["d-1", "d-2"] {
        let text = session.replacingOccurrences(of: "%", with: device)
        try transaction.set("{}", .phaseDevice, device, project: 1)
        try transaction.set(text, .phaseSession, "session of \(device)", project: 1)
      }
    }
    let erasing = Erasing(
      catalog: world.catalog,
      store: world.store,
      log: world.log,
      state: state
    )
    var request = EventConditions()
    request.device = "d-1"
    _ = try erasing.erase(request, of: 1, by: .server)
    let left = try state.run { transaction throws(CatalogError) in
      var left: [Bool] = []
      for device in ["d-1", "d-2"] {
        left.append(try transaction.value(.phaseDevice, device) != nil)
        left.append(try transaction.value(.phaseSession, "session of \(device)") != nil)
      }
      return left
    }
    #expect(left == [false, false, true, true])
  }

  @Test(arguments: [nil, "Opened"])
  func `a whole person goes from Pinpoint's endpoints too, one event's name does not`(
    name: String?
  ) throws {
    let world = try World()
    defer { world.remove() }
    let endpoints = try EndpointStore(path: ":memory:", nowMs: { 5 })
    let app = try world.catalog.addPinpointApp(project: 1, name: "Notes").id
    for user in ["john", "mary"] {
      let said = Array(#"{"Address":"token","User":{"UserId":"\#(user)"}}"#.utf8)
      let update = try said.withUnsafeBytes { try PinpointEndpointUpdate($0) }
      try endpoints.update(app: app, [("endpoint of \(user)", update)])
    }
    let erasing = Erasing(
      catalog: world.catalog,
      store: world.store,
      log: world.log,
      endpoints: endpoints
    )
    var request = World.john
    request.name = name
    _ = try erasing.erase(request, of: 1, by: .server)
    #expect(try endpoints.endpoints(app: app, user: "john").isEmpty == (name == nil))
    #expect(try endpoints.endpoints(app: app, user: "mary").count == 1)
  }

  @Test func `a copy's endpoints from before the erasure go by number, later ones stay`() throws {
    let world = try World()
    defer { world.remove() }
    let clock = Lock(Int64(5))
    let endpoints = try EndpointStore(path: ":memory:", nowMs: { clock.withLock { $0 } })
    let app = try world.catalog.addPinpointApp(project: 1, name: "Notes").id
    func say(_ id: String, of user: String) throws {
      let said = Array(#"{"Address":"token \#(id)","User":{"UserId":"\#(user)"}}"#.utf8)
      let update = try said.withUnsafeBytes { try PinpointEndpointUpdate($0) }
      try endpoints.update(app: app, [(id, update)])
    }
    _ = try world.erasing.erase(World.john, of: 1, by: .server)
    // As a restored copy has it, in which this erasure was not done.
    let document = try #require(try world.catalog.erasures().first).document
    let copy = try World()
    defer { copy.remove() }
    _ = try copy.catalog.addErasures(try world.catalog.erasures())
    #expect(document.contains("\"askedAtMs\":1000"))
    _ = try copy.catalog.addPinpointApp(project: 1, id: app)
    for user in ["john", "mary"] { try say("old of \(user)", of: user) }
    clock.withLock { $0 = 2_000 }
    try say("new of john", of: "john")
    let erasing = Erasing(
      catalog: copy.catalog,
      store: copy.store,
      log: copy.log,
      endpoints: endpoints
    )
    #expect(try erasing.resume() == 1)
    #expect(try endpoints.endpoints(app: app, user: "john").map(\.id) == ["new of john"])
    #expect(try endpoints.endpoints(app: app, user: "mary").count == 1)
  }

  @Test func `a batch that is being loaded when it is written down does not bring anything back`()
    throws
  {
    let world = try World()
    defer { world.remove() }
    let store = HoldingStore(world.store)
    let erasing = Erasing(catalog: world.catalog, store: store, log: world.log, nowMs: { 1_000 })
    let loader = Loader(
      log: world.log,
      store: store,
      feed: LiveFeed(),
      poisonFolder: world.setAside,
      erased: { try erasing.erased() }
    )
    erasing.wait(for: loader)
    try world.add("john", "mary", loads: false)
    try loader.start()
    store.waitUntilLoading()
    _ = try erasing.erase(World.john, of: 1, by: .server) {
      if $0 == .writtenDown { store.release() }
    }
    #expect(world.storedUsers == ["mary"])
    loader.stop()
  }

  @Test func `what arrives late goes from the log with the next sweep`() throws {
    let world = try World()
    defer { world.remove() }
    #expect(try world.erasing.sweep() == 0)
    _ = try world.erasing.erase(World.john, of: 1, by: .server)
    try world.add("john", "mary")
    #expect(try world.logHolds("john"))
    #expect(try world.erasing.sweep() == 1)
    #expect(try !world.logHolds("john"))
    #expect(try world.loggedUsers == ["mary"])
    #expect(try world.erasing.sweep() == 0)
  }

  @Test func `a person goes from what was set aside, also from what nobody can read`() throws {
    let world = try World()
    defer { world.remove() }
    try world.setAside(World.record(["john", "mary"]), "both")
    try world.setAside(World.record(["john"]), "alone")
    try world.setAside(World.record(["mary"]), "other")
    try world.setAside([1, 2, 3] + Array("of john, torn".utf8), "torn")
    try world.setAside([1, 2, 3] + Array("of mary, torn".utf8), "torn-other")
    _ = try world.erasing.erase(World.john, of: 1, by: .server)
    #expect(
      try world.setAside.entries(limit: 10).map(\.name) == ["both", "other", "torn-other"]
    )
    let files = try FileManager.default.contentsOfDirectory(atPath: world.folder + "/poison")
    #expect(files.count == 6)
    #expect(try world.setAside.replay(into: world.log) == 3)
    #expect(try !world.logHolds("john"))
    // What arrives late and cannot be loaded is swept as well.
    try world.setAside(World.record(["john"]), "late")
    #expect(try world.erasing.sweep() == 1)
    #expect(try world.setAside.count() == 0)
  }

  @Test func `events of a name leave a torn record alone, whoever it names`() throws {
    let world = try World()
    defer { world.remove() }
    try world.setAside(Array("of john, torn, Opened".utf8), "torn")
    var conditions = World.john
    conditions.name = "Opened"
    _ = try world.erasing.erase(conditions, of: 1, by: .server)
    #expect(try world.setAside.count() == 1)
  }

  @Test func `asked for again by its number it is gone on with, and counts what went first`() throws
  {
    var world = try World()
    defer { world.remove() }
    try world.add("john", "mary", "john")
    #expect(throws: World.Killed.self) {
      try world.erasing.erase(World.john, of: 1, id: 77, by: .server) {
        if $0 == .logDone { throw World.Killed() }
      }
    }
    world = try world.restarted()
    #expect(try world.erasing.resume() == 1)
    _ = try world.erasing.erase(World.john, of: 1, id: 77, by: .server)
    #expect(try world.catalog.erasures().map(\.id) == [77])
    #expect(world.storedUsers == ["mary"])
  }

  @Test func `without a condition nothing is erased`() throws {
    let world = try World()
    defer { world.remove() }
    try world.add("john")
    #expect(throws: Erasing.Problem.noCondition) {
      try world.erasing.erase(EventConditions(), of: 1, by: .server)
    }
    #expect(world.storedUsers == ["john"])
  }
}

/// A store whose first batch is held until it is released, and then until an erasure came or did not.
private final class HoldingStore: EventStore {
  private struct State {
    var isLoading = false
    var isReleased = false
    var isErasing = false
  }

  private let inner: InMemoryEventStore
  private let state = Monitor(State())

  init(_ inner: InMemoryEventStore) { self.inner = inner }

  func waitUntilLoading() { state.wait { $0.isLoading ? () : nil } }

  func release() { state.change { $0.isReleased = true } }

  func load(
    _ batch: LoadBatch,
    beforeCommit: ([RefusedRecord]) -> Void
  ) throws -> LoadResult {
    state.change { $0.isLoading = true }
    state.wait { $0.isReleased ? () : nil }
    // An erasure that did not wait for this batch is through before it.
    _ = state.wait(timeoutSeconds: 0.3) { $0.isErasing ? true : nil }
    return try inner.load(batch, beforeCommit: beforeCommit)
  }

  func erase(_ erasure: Erasure) throws -> Int {
    defer { state.change { $0.isErasing = true } }
    return try inner.erase(erasure)
  }

  var dialect: Dialect { inner.dialect }
  func position(ofLog log: JournalID) throws -> JournalPosition? {
    try inner.position(ofLog: log)
  }
  func answer<Question: Insight>(
    _ insight: Question,
    cancellation: Cancellation?
  ) throws -> Question.Output { try inner.answer(insight, cancellation: cancellation) }
  func rows(_ sql: SQL, cancellation: Cancellation?) throws -> [Row] {
    try inner.rows(sql, cancellation: cancellation)
  }
  func spans(ofUser user: Int64) throws -> [Erasure.Span] { try inner.spans(ofUser: user) }
  func count(_ erasure: Erasure) throws -> Int { try inner.count(erasure) }
  func erasuresDone() throws -> Set<Int64> { try inner.erasuresDone() }
  func idle() {}
  func close() { inner.close() }
}
