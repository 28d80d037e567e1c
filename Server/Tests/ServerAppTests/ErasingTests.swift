import Catalog
import EndpointStore
import EventRecord
import EventStore
import FootfallJournal
import Foundation
import IngestLog
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

  init(folder: String? = nil, store: InMemoryEventStore = InMemoryEventStore()) throws {
    self.folder = folder ?? NSTemporaryDirectory() + "footfall-erase-" + UUID().uuidString
    self.store = store
    try DataFolder(path: self.folder).prepare()
    log = try IngestLog(folder: self.folder + "/log", keepsItself: false)
    catalog = try Catalog(path: self.folder + "/catalogue.sqlite")
    if try catalog.projects().isEmpty { _ = try catalog.createProject(name: "Notes") }
    erasing = Erasing(catalog: catalog, store: store, log: log, nowMs: { 1_000 })
  }

  /// Writes events of some users into the log, and loads what is not loaded yet.
  func add(_ users: String..., loads: Bool = true) throws {
    let events = users.enumerated().map { number, user in
      EventRecord(
        key: .native(project: 1, id: "\(user) \(number)"),
        timestampMs: 10,
        id: "\(user) \(number)",
        name: "Opened",
        deviceID: "device of \(user)",
        userID: user
      )
    }
    let record = RecordWriter.record(
      RecordHeader(source: .native, project: 1, receivedAtMs: 10),
      context: #"{"library":"test/1.0"}"#,
      events: events
    )
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

  static var john: Erasing.Request {
    var request = Erasing.Request(project: 1)
    request.user = "john"
    return request
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
    #expect(try world.erasing.count(World.john) == 1)
    #expect(try world.logHolds("john"))
    var steps: [Erasing.Step] = []
    #expect(try world.erasing.erase(World.john, by: .commandLine) { steps.append($0) } == 1)
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

  @Test(arguments: Erasing.Step.allCases)
  func `after a kill at any step the next start finishes it`(step: Erasing.Step) throws {
    var world = try World()
    defer { world.remove() }
    try world.add("john", "mary")
    #expect(throws: World.Killed.self) {
      try world.erasing.erase(World.john, by: .commandLine) {
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
    _ = try world.erasing.erase(World.john, by: .server)
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
    _ = try world.erasing.erase(World.john, by: .server)
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
    var request = Erasing.Request(project: 1)
    request.device = "d-1"
    _ = try erasing.erase(request, by: .server)
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
    _ = try erasing.erase(request, by: .server)
    #expect(try endpoints.endpoints(app: app, user: "john").isEmpty == (name == nil))
    #expect(try endpoints.endpoints(app: app, user: "mary").count == 1)
  }

  @Test func `without a condition nothing is erased`() throws {
    let world = try World()
    defer { world.remove() }
    try world.add("john")
    #expect(throws: Erasing.Problem.noCondition) {
      try world.erasing.erase(Erasing.Request(project: 1), by: .server)
    }
    #expect(world.storedUsers == ["john"])
  }
}
