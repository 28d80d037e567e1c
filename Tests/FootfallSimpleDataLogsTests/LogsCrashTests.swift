import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: crashes` {
  let files = MemoryFiles()

  private func launch(
    _ autocapture: Autocapture = .crashes,
    _ redaction: CrashReasonRedaction? = nil,
    isEnabled: Bool = true,
    _ exceptions: ManualExceptions = ManualExceptions()
  ) async -> (world: LogsWorld, client: SimpleDataLogsClient) {
    files.endProcess()
    let world = LogsWorld(files: files, exceptions: exceptions)
    let client = world.client(
      autocapture,
      redaction: redaction,
      before: { $0.setEnabled(isEnabled) }
    )
    await client.settle()
    return (world, client)
  }

  /// What the next launch tells of a process that ended so.
  private func told(
    _ exception: RaisedException,
    _ redaction: CrashReasonRedaction? = nil
  ) async throws -> SentEvent? {
    let crashed = await launch(.crashes, redaction)
    crashed.world.exceptions.raise(exception)
    let next = await launch(.crashes, redaction)
    await next.client.flush()
    return try next.world.events.first
  }

  private var isSaved: Bool { files.paths.contains { $0.hasSuffix("/crash") } }

  @Test func `SDL-56: the next launch tells of an exception, the one after it does not`()
    async throws
  {
    let crashed = await launch()
    crashed.world.exceptions.raise(
      RaisedException(name: "Boom", reason: "bad 42", frames: ["0   App 0x1 main + 12", "1   b"])
    )
    #expect(isSaved)
    let next = await launch()
    await next.client.flush()
    let events = try next.world.events
    #expect(events.map(\.name) == ["app_crashed"])
    #expect(
      events[0].props?.mapValues(\.value) == [
        "exception_name": "Boom", "reason": "bad 42", "stack": "0   App 0x1 main + 12\n1   b",
      ]
    )
    #expect(!isSaved)
    let last = await launch()
    await last.client.flush()
    #expect(last.world.script.requests.isEmpty)
  }

  @Test func `a crash that was told and not stored is told again by the same id`() async throws {
    let crashed = await launch()
    crashed.world.exceptions.raise(RaisedException(name: "Boom"))
    let saved = try #require(files.paths.first { $0.hasSuffix("/crash") })
    let bytes = try #require(files.bytes(saved))
    let next = await launch()
    await next.client.flush()
    files.setBytes(saved, bytes)
    let again = await launch()
    await again.client.flush()
    #expect(try next.world.events == again.world.events)
    #expect(try next.world.events.count == 1)
  }

  @Test func `what others left in the place of a crash is deleted, and said`() async throws {
    let first = await launch()
    first.world.exceptions.raise(RaisedException(name: "Boom"))
    let saved = try #require(files.paths.first { $0.hasSuffix("/crash") })
    files.setBytes(saved, Array("{\"id\":".utf8))
    let next = await launch()
    await next.client.flush()
    #expect(!isSaved && next.world.script.requests.isEmpty)
    #expect(next.world.lines(.warning).count == 1)
  }

  @Test func `SDL-57: a reason has 4,000 characters at most`() async throws {
    let reason = String(repeating: "é", count: 5_000)
    let event = try #require(try await told(RaisedException(name: "Boom", reason: reason)))
    #expect(event["reason"] == .string(String(repeating: "é", count: 4_000)))
    let silent = try #require(try await told(RaisedException(name: "Boom")))
    #expect(silent["reason"] == "")
  }

  @Test func `SDL-58: everything that may be about a person is taken out`() async throws {
    for (reason, redacted) in Self.rows {
      #expect(CrashReasonRedaction.standard.rule.redact(reason) == redacted, "\(reason)")
    }
    // As the app's own crash, nothing of which is on the disk at any time.
    let (reason, redacted) = Self.rows[21]
    let event = try await told(RaisedException(name: "Boom", reason: reason), .standard)
    #expect(event?["reason"] == .string(redacted) && !files.holds("ann.lee"))
  }

  @Test func `SDL-60: redacting twice changes nothing`() {
    for (reason, redacted) in Self.rows {
      #expect(CrashReasonRedaction.standard.rule.redact(redacted) == redacted, "\(reason)")
    }
  }

  private static let parts = "user 42 at /srv/a.txt wrote ann@example.com"

  @Test(
    arguments: [
      (CrashReasonRedaction(shouldStripNumbers: false), "user 42 at <path> wrote <email>"),
      (CrashReasonRedaction(shouldStripPaths: false), "user ## at /srv/a.txt wrote <email>"),
      (CrashReasonRedaction(shouldStripEmails: false), "user ## at <path> wrote ann@example.com"),
      (CrashReasonRedaction(maxLength: 20), "user ## at <path> wr"),
      (
        CrashReasonRedaction(
          shouldStripNumbers: false,
          shouldStripPaths: false,
          shouldStripEmails: false,
          maxLength: 10
        ), "user 42 at"
      ), (nil, parts), (CrashReasonRedaction(maxLength: -1), ""),
      (CrashReasonRedaction(maxLength: .max), "user ## at <path> wrote <email>"),
    ] as [(CrashReasonRedaction?, String)]
  )
  func `SDL-59: each part can be left in`(
    redaction: CrashReasonRedaction?,
    redacted: String
  ) async throws {
    let event = try await told(RaisedException(name: "Boom", reason: Self.parts), redaction)
    #expect(event?["reason"] == .string(redacted))
  }

  @Test func `SDL-61: a launch that is switched off deletes a saved crash`() async throws {
    let crashed = await launch()
    crashed.world.exceptions.raise(RaisedException(name: "Boom"))
    let off = await launch(isEnabled: false)
    await off.client.flush()
    #expect(!isSaved && off.world.script.requests.isEmpty)
    let on = await launch()
    await on.client.flush()
    #expect(on.world.script.requests.isEmpty)
  }

  @Test func `a launch that does not ask for crashes deletes a saved one`() async throws {
    let crashed = await launch()
    crashed.world.exceptions.raise(RaisedException(name: "Boom"))
    let other = await launch(.appLaunches)
    await other.client.flush()
    #expect(!isSaved)
    #expect(try other.world.names == [["app_launched"]])
  }

  @Test func `SDL-62: whoever handled exceptions before still does, after the crash is saved`()
    async
  {
    let heard = Lock<[String]>([])
    let files = files
    let earlier = ManualExceptions { exception in
      let isSaved = files.paths.contains { $0.hasSuffix("/crash") }
      heard.withLock { $0.append("\(exception.name) \(isSaved)") }
    }
    let client = await launch(.crashes, nil, earlier)
    // A second client of the process takes no second place.
    let other = client.world.client(.crashes, folder: "/other")
    await other.settle()
    client.world.exceptions.raise(RaisedException(name: "Boom"))
    #expect(heard.withLock { $0 } == ["Boom true"])
    #expect(files.paths.count { $0.hasSuffix("/crash") } == 2)
  }

  @Test func `SDL-63: of paths in a stack only the last part remains`() async throws {
    let frames = [
      "3   /Users/ann/Build/MyApp.app/Contents/MacOS/MyApp 0x0000000104a1b2c3 main + 12",
      "4   MyApp  0x104 closure #1 in Foo.bar() (/Users/ann/src/MyApp/Foo.swift:42)",
      "0   CoreFoundation   0x00007ff81a2b3c4d __exceptionPreprocess + 242",
    ]
    let many = frames + Array(repeating: "x", count: 100)
    let event = try #require(try await told(RaisedException(name: "Boom", frames: many)))
    let stack = [
      "3   MyApp 0x0000000104a1b2c3 main + 12",
      "4   MyApp  0x104 closure #1 in Foo.bar() (Foo.swift:42)", frames[2],
    ]
    let kept = stack + Array(repeating: "x", count: 61)
    #expect(event["stack"] == .string(kept.joined(separator: "\n")))
  }

  @Test func `SDL-64: nobody listens for exceptions unless that is asked for`() async {
    let without = await launch([.appLaunches, .sessions])
    #expect(!without.world.exceptions.isHandled)
    without.world.exceptions.raise(RaisedException(name: "Boom"))
    #expect(!isSaved)
    let with = await launch()
    #expect(with.world.exceptions.isHandled)
  }

  @Test func `SDL-115: while collection is off no crash is saved`() async {
    let (world, client) = await launch()
    client.setEnabled(false)
    world.exceptions.raise(RaisedException(name: "Boom"))
    #expect(!isSaved)
    client.setEnabled(true)
    world.exceptions.raise(RaisedException(name: "Boom"))
    #expect(isSaved)
    client.setEnabled(false)
    #expect(!isSaved)
  }

  @Test func `SDL-134: the reason of the next launch's event is redacted`() async throws {
    let world = LogsWorld(files: files)
    let client = world.client(.all, redaction: .standard)
    await client.settle()
    world.exceptions.raise(RaisedException(name: "Boom", reason: Self.parts))
    #expect(!files.holds("ann@example.com"))
    let (next, relaunched) = await launch(.all, .standard)
    await relaunched.flush()
    let crash = try #require(try next.events.first { $0.name == "app_crashed" })
    #expect(crash["reason"] == "user ## at <path> wrote <email>")
  }

  /// Reasons and what `.standard` makes of them.
  ///
  /// Source: `simpledatalogs.md` section 6.2.
  private static let rows: [(String, String)] = [
    (
      "*** -[__NSArrayM objectAtIndex:]: index 5 beyond bounds [0 .. 4]",
      "*** -[__NSArrayM objectAtIndex:]: index # beyond bounds [# .. #]"
    ), ("index 12 beyond bounds [0 .. 3]", "index ## beyond bounds [# .. #]"),
    ("record 8F14E45F-CEEA-467F-A0E6-1B2C3D4E5F60 not found", "record <uuid> not found"),
    ("{8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60}", "{<uuid>}"),
    (
      "-[NSNull length]: unrecognized selector sent to instance 0x1f2a",
      "-[NSNull length]: unrecognized selector sent to instance <hex>"
    ), ("commit 9fceb02d0ae598e95dc970b74767f19372d61af8 missing", "commit <hex> missing"),
    ("8f14e45fceea467fa0e61b2c3d4e5f60", "<hex>"),
    ("token deadbeef rejected", "token deadbeef rejected"),
    ("order 12345678 failed", "order ######## failed"),
    ("id a1b2c3 invalid", "id a#b#c# invalid"),
    ("cannot open /Users/ann/Documents/budget.numbers", "cannot open <path>"),
    (
      "cannot open '/Users/ann/My Documents/tax 2024.pdf' (errno 2)",
      "cannot open '<path>' (errno #)"
    ), ("cannot open /Users/ann/My Documents/tax.pdf", "cannot open <path>"),
    ("read failed: file:///Users/ann/Library/Caches/a%20b.db", "read failed: <path>"),
    ("file:/etc/hosts unreadable", "<path> unreadable"),
    ("missing ~/Library/Preferences/com.acme.plist", "missing <path>"),
    (#"bad file C:\Users\Ann\notes.txt line 7"#, "bad file <path> line #"),
    ("path=/srv/a.txt, next=/srv/b.txt.", "path=<path>, next=<path>."),
    (
      "Crash in /private/var/containers/Bundle/Application/"
        + "8F14E45F-CEEA-467F-A0E6-1B2C3D4E5F60/My.app/My:42", "Crash in <path>:##"
    ),
    ("sandbox: deny(1) file-read-data /etc/hosts", "sandbox: deny(#) file-read-data <path>"),
    (
      "GET https://api.acme.com/v1/users/42 returned 500",
      "GET https://api.acme.com/v#/users/## returned ###"
    ),
    ("user ann.lee+test@example.co.uk has no team", "user <email> has no team"),
    ("contact ann42@example.com or 555-0199", "contact <email> or ###-####"),
    ("user jörg@example.de locked", "user <email> locked"),
    ("mailto:bob@acme.io bounced", "mailto:<email> bounced"),
    ("ssh git@localhost failed", "ssh git@localhost failed"),
    ("ann@example.com/docs and /docs", "<email>/docs and <path>"),
    ("ratio 3.14 is not < -1.5e10", "ratio #.## is not < -#.#e##"),
    ("either/or choice n/a at 10 / 2", "either/or choice n/a at ## / #"),
    (#"nonexistent key "user_99""#, #"nonexistent key "user_##""#),
    ("0xZZ is not hex, 0x12 is", "#xZZ is not hex, <hex> is"),
    ("٣ items left", "# items left"), ("see //server/share/doc.txt", "see <path>"),
    (String(repeating: "A", count: 250), String(repeating: "A", count: 200)),
    (
      String(repeating: "x", count: 195) + " /srv/secret.txt",
      String(repeating: "x", count: 195) + " <pat"
    ), ("", ""),
  ]
}
