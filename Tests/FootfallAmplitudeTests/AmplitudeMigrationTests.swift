import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// Files as the vendor's own client leaves them, found by an app that now uses this one.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude: what its own client left` {
  let day = AmplitudeDay()
  private static let support = "/Library/Application Support/amplitude"
  private static let usual = "amplitude-swift-storage-KEY-$default_instance"
  private static let heldUsual = "amplitude-swift-identify-KEY-$default_instance"

  private static func folder(_ prefix: String = usual, in root: String = support) -> String {
    "\(root)/\(prefix).events.index"
  }

  /// An event as that client writes it: sorted keys, `null` for what is unset.
  private static func record(_ number: Int, _ more: String = "") -> String {
    """
    {"adid":null,"device_id":"D-old","event_id":\(number),"event_properties":{"n":\(number)},\
    "event_type":"e\(number)","insert_id":"i\(number)",\(more)"os_name":"ios","session_id":1000,\
    "time":\(1_764_000_000_000 + number),"user_id":null}
    """
  }

  private func write(_ text: String, _ name: String, in folder: String = folder()) throws {
    try day.files.makeFolder(folder)
    day.files.setBytes(folder + "/" + name, Array(text.utf8))
  }

  private func records(_ numbers: some Sequence<Int>) -> String {
    numbers.map { Self.record($0) + "\0" }.joined()
  }

  private func start(
    _ files: AmplitudeEarlierFiles = AmplitudeEarlierFiles(key: "KEY", folders: [support]),
    _ change: (inout EngineSettings) -> Void = { _ in }
  ) async {
    await day.start {
      $0.earlier = [files]
      change(&$0)
    }
  }

  /// The names of the events of each request.
  private func requests() async throws -> [[String]] {
    _ = await day.engine.flush()
    return try day.script.requests.map { try AmplitudeSent.events(of: $0.body).map(\.name) }
  }

  private func malformed() throws -> [[String]] {
    try day.script.requests.map { request in
      let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
      let metadata = body?["request_metadata"] as? [String: Any]
      let sdk = metadata?["sdk"] as? [String: Any]
      return sdk?["malformed_events"] as? [String] ?? []
    }
  }

  @Test func `AMP-F2: a cut record takes no other with it, and its text is reported`() async throws
  {
    try write(records([1]) + #"{"event_type":"cut"#, "v2-0")
    try write(records([2]), "v2-1")
    await start()
    #expect(try await requests() == [["e1"], ["e2"]])
    #expect(try malformed() == [[#"{"event_type":"cut"#], []])
    #expect(day.engine.diagnostics.dropped.byReason == [.damaged: 1])
  }

  @Test func `AMP-F3: bad files are moved aside, good ones sent, and each is read once`()
    async throws
  {
    for (number, text) in ["no event", records([1]), "\0{}\0", records([2])].enumerated() {
      try write(text, "v2-\(number)")
    }
    let reads = Lock<[String: Int]>([:])
    day.files.intercept { operation, path in
      if operation == .open, path.contains("amplitude") {
        reads.withLock { $0[String(path.split(separator: "/").last ?? ""), default: 0] += 1 }
      }
      return nil
    }
    await start()
    #expect(try await requests() == [["e1"], ["e2"]])
    day.end()
    await start()
    #expect(try await requests().isEmpty)
    #expect(reads.withLock { $0 } == ["v2-0": 1, "v2-1": 1, "v2-2": 1, "v2-3": 1])
    let left = day.files.paths.filter { $0.contains("amplitude") }
    let aside = Self.folder() + "/.quarantine/"
    #expect(left.count == 2 && left.allSatisfy { $0.hasPrefix(aside) })
    #expect(day.lines(.error).filter { $0.contains("moved to") }.count == 2)
  }

  @Test(arguments: [
    usual, "amplitude-swift-KEY", "amplitude-swift-storage-default_instance",
    "amplitude-swift-storage-$default_instance",
  ])
  func `AMP-F7: files of an older place are sent, and the place is gone`(
    prefix: String
  ) async throws {
    let roots = [Self.support, "/Documents/amplitude", "/Caches/amplitude/com.acme.app"]
    for (number, root) in roots.enumerated() {
      let folder = Self.folder(prefix, in: root)
      try write(records([2 * number + 1]), "v2-3", in: folder)
      try write(records([2 * number + 2]), "v2-4.tmp", in: folder)
    }
    await start(AmplitudeEarlierFiles(key: "KEY", folders: roots))
    #expect(try await requests().flatMap { $0 } == (1...6).map { "e\($0)" })
    #expect(!day.files.paths.contains { $0.contains("amplitude") })
    #expect(roots.allSatisfy { !day.files.exists($0) })
    let events = try day.script.requests.flatMap { try AmplitudeSent.events(of: $0.body) }
    #expect(events.map { $0["insert_id"] } == (1...6).map { "i\($0)" })
    #expect(events.map { $0["device_id"] } == Array(repeating: "D-old", count: 6))
    #expect(events[0]["time"] == "1764000000001" && events[0]["event_id"] == "1")
    #expect(events[0]["event_properties"] == #"{"n":1}"# && events[0]["os_name"] == "ios")
    #expect(events[0]["session_id"] == "1000" && events[0]["user_id"] == nil)
  }

  @Test func `AMP-F8: lists of the first version are read, however they begin and end`()
    async throws
  {
    let texts = [
      "[\(Self.record(1)),\(Self.record(2))]", "[\(Self.record(3)),\(Self.record(4))",
      ",\(Self.record(5)),\(Self.record(6))]", "\(Self.record(7))",
      "[\(Self.record(8)),", "[\(Self.record(9, #""x":"}],{","#)),\n\(Self.record(10))]\n",
    ]
    for (number, text) in texts.enumerated() {
      try write(text, number == 5 ? "5.tmp" : "\(number)")
    }
    await start()
    let requests = try await requests()
    #expect(requests.map(\.count) == [2, 2, 2, 1, 1, 2])
    #expect(requests.flatMap { $0 } == (1...10).map { "e\($0)" })
    #expect(day.engine.diagnostics.dropped.isEmpty)
  }

  @Test func `files go by their numbers, halves behind each other`() async throws {
    for (number, name) in ["v2-2", "v2-3-1", "v2-3-2", "v2-9", "v2-10"].enumerated() {
      try write(records([number]), name)
    }
    await start()
    #expect(try await requests() == (0..<5).map { ["e\($0)"] })
  }

  @Test func `identifies that were held are merged behind what was queued`() async throws {
    for (number, plan) in ["free", "pro"].enumerated() {
      let more = #""user_properties":{"$set":{"plan":"\#(plan)"}},"#
      let text = Self.record(number, more).replacingOccurrences(
        of: "\"e\(number)\"",
        with: "\"$identify\""
      )
      try write(text + "\0", "v2-\(number)", in: Self.folder(Self.heldUsual))
    }
    try write(records([7]), "v2-0")
    await start()
    let events = try await day.events()
    #expect(events.map(\.name) == ["e7", "$identify"])
    #expect(events[1]["insert_id"] == "i0")
    #expect(events[1]["user_properties"] == #"{"$set":{"plan":"pro"}}"#)
    #expect(!day.files.exists(Self.support))
  }

  @Test func `files of another key, and of the instance alone beyond a sandbox, stay`() async throws
  {
    let other = Self.folder("amplitude-swift-storage-OTHER-$default_instance")
    let shared = Self.folder("amplitude-swift-storage-$default_instance")
    try write(records([1]), "v2-0", in: other)
    try write(records([2]), "v2-0", in: shared)
    await start(AmplitudeEarlierFiles(key: "KEY", folders: [Self.support], isSandboxed: false))
    #expect(try await requests().isEmpty)
    #expect(day.files.exists(other + "/v2-0") && day.files.exists(shared + "/v2-0"))
  }

  @Test func `nothing is read where nothing may be kept`() async throws {
    try write(records([1]), "v2-0")
    await start { settings in
      settings.isEnabled = false
      settings.consent = .deletesStored
    }
    #expect(day.engine.diagnostics.stored == 0)
    #expect(day.files.exists(Self.folder() + "/v2-0"))
  }

  @Test func `what cannot be stored stays for the next start`() async throws {
    try write(records([1, 2]), "v2-0")
    day.files.intercept { operation, path in
      operation == .write && path.hasPrefix("/client/journal") ? .fail(28) : nil
    }
    await start()
    #expect(day.files.exists(Self.folder() + "/v2-0"))
    #expect(day.engine.diagnostics.dropped.isEmpty)
    day.end()
    day.files.intercept { _, _ in nil }
    await start()
    #expect(try await requests() == [["e1", "e2"]])
    #expect(!day.files.exists(Self.support))
  }

  @Test func `what comes twice after a stop has the same ids`() async throws {
    let anonymous = #"{"event_type":"x","device_id":"D-old","time":5}"#
    try write(records([1]) + anonymous + "\0", "v2-0")
    day.files.intercept { operation, path in
      operation == .remove && path.contains("amplitude") ? .fail(5) : nil
    }
    await start()
    let first = try await day.events().map { $0["insert_id"] }
    day.end(isKilled: true)
    day.files.intercept { _, _ in nil }
    await start()
    let second = try await day.events().map { $0["insert_id"] }
    #expect(first == ["i1", "v2-0-1-5"] && second == first)
  }

  @Test func `device, user, session and numbers go on, once`() async throws {
    let values: [String: [String: PropertyValue]] = [
      "com.amplitude.storage." + Self.usual: [
        "device_id": "D-old", "previous_session_id": 1_000, "last_event_time": 1_050,
      ],
      "com.amplitude.storage.amplitude-swift-KEY": [
        "device_id": "D-older", "user_id": "U-old", "last_event_id": 7, "last_event_time": 900,
      ],
    ]
    let files = AmplitudeEarlierFiles(key: "KEY", folders: []) { values[$0] ?? [:] }
    day.setClock(to: 1_060)
    var rules = PipelineRules.amplitude(sessionMilliseconds: 100)
    rules.appLaunched = "opened"
    await day.start(rules) { $0.earlier = [files] }
    let event = try await day.last()
    #expect(event["device_id"] == "D-old" && event["user_id"] == "U-old")
    #expect(event["session_id"] == "1000" && event["event_id"] == "8")
    #expect(event["event_properties"] == #"{"is_first_launch":false}"#)
    day.engine.setIdentity(.setUser("U-new"))
    await day.engine.settle()
    day.end()
    await day.start(rules) { $0.earlier = [files] }
    let next = try await day.last()
    #expect(next["user_id"] == "U-new" && next["event_id"] == "9")
  }

  @Test(
    arguments: [
      ("last_event_id", .max), ("last_event_id", 9_007_199_254_740_993),
      ("previous_session_id", .max), ("last_event_time", .max), ("last_event_id", .min),
    ] as [(String, Int64)]
  )
  func `a number that no client can have left is as if it were absent, at every start`(
    name: String,
    number: Int64
  ) async throws {
    let suite = "com.amplitude.storage." + Self.usual
    let files = AmplitudeEarlierFiles(key: "KEY", folders: []) { asked in
      asked == suite ? ["device_id": "D-old", name: .integer(number)] : [:]
    }
    for start in 1...2 {
      await day.start(.amplitude(sessionMilliseconds: 100)) { $0.earlier = [files] }
      day.engine.track("e")
      let event = try await day.last()
      #expect(event["device_id"] == "D-old" && event["event_id"].flatMap { Int($0) } ?? 0 >= start)
      #expect(event["session_id"].flatMap { Int64($0) } ?? .max < 1 << 53)
      day.end()
    }
  }

  /// A key that would be found wherever it stands.
  private static let secret = "SECRET-0a1b2c"

  @Test func `the key is in no line of the log, whatever is wrong with the files`() async throws {
    let folder = Self.folder("amplitude-swift-storage-\(Self.secret)-$default_instance")
    let held = Self.folder("amplitude-swift-identify-\(Self.secret)-$default_instance")
    let older = Self.folder("amplitude-swift-\(Self.secret)")
    try write("no event", "v2-0", in: folder)
    try write(records([1]), "v2-1", in: folder)
    try write(records([2]), "v2-2", in: folder)
    try write(records([3]), "v2-0", in: held)
    try write(records([4]), "v2-0", in: older)
    day.files.intercept { operation, path in
      switch operation {
      case .open where path.hasSuffix("/v2-1"): .fail(5)
      case .remove where path.hasSuffix("/v2-2") || path == Self.support: .fail(5)
      case .list where path == older || path == held: .fail(13)
      default: nil
      }
    }
    await start(AmplitudeEarlierFiles(key: Self.secret, folders: [Self.support]))
    _ = await day.engine.flush()
    let lines = day.lines.withLock { $0 }
    #expect(lines.filter { $0.message.contains("not taken over") }.count == 2)
    #expect(lines.filter { $0.message.contains("cannot be looked at yet") }.count >= 2)
    #expect(lines.contains { $0.message.contains("moved to") })
    #expect(lines.contains { $0.message.contains("(5)") && $0.message.contains("v2-1") })
    #expect(lines.contains { $0.message.contains("(13)") && $0.message.contains("<key ") })
    #expect(lines.allSatisfy { !$0.message.contains(Self.secret) })
  }
}
