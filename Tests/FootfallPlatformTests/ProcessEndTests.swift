#if os(Linux) || os(macOS)
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallPlatform

/// Each test ends a child process and looks at what that left behind.
@Suite(.timeLimit(.minutes(5))) struct `The end of a process` {
  @Test func `exit runs each closure once and keeps its code`() async {
    let note = Note()
    await #expect(processExitsWith: .exitCode(7)) { [note = note as Note] in
      let end = SystemProcessEnd(log: .silent)
      _ = end.register(for: .exit, limitSeconds: 10) { note.add("a") }
      _ = end.register(for: [.exit, .signals], limitSeconds: 10) { note.add("b") }
      exit(7)
    }
    #expect(note.taken() == "ab")
  }

  @Test func `a closure that hangs holds the end up no longer than its limit`() async {
    let note = Note()
    await #expect(processExitsWith: .exitCode(3)) { [note = note as Note] in
      let end = SystemProcessEnd(log: .silent)
      _ = end.register(for: .exit, limitSeconds: 0.2) { Gate().wait() }
      _ = end.register(for: .exit, limitSeconds: 0.1) { note.add("a") }
      exit(3)
    }
    #expect(note.taken() == "a")
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal runs the closures and then ends the process`(signal: Int32) async {
    let note = Note()
    await #expect(processExitsWith: .signal(signal)) {
      [note = note as Note, signal = signal as Int32] in
      let end = SystemProcessEnd(log: .silent)
      _ = end.register(for: [.exit, .signals], limitSeconds: 10) { note.add("a") }
      kill(getpid(), signal)
      while true { pause() }
    }
    #expect(note.taken() == "a")
  }

  @Test func `a handler the app had before gets the signal afterwards`() async {
    let note = Note()
    await #expect(processExitsWith: .exitCode(9)) { [note = note as Note] in
      signal(SIGTERM) { _ in _exit(9) }
      _ = SystemProcessEnd(log: .silent).register(for: .signals, limitSeconds: 10) { note.add("a") }
      kill(getpid(), SIGTERM)
      while true { pause() }
    }
    #expect(note.taken() == "a")
  }

  @Test func `a signal that is ignored stays ignored, and the log says so`() async {
    let note = Note()
    await #expect(processExitsWith: .exitCode(5)) { [note = note as Note] in
      signal(SIGTERM, SIG_IGN)
      let log = Logger { _ in note.add("log") }
      _ = SystemProcessEnd(log: log).register(for: .signals, limitSeconds: 10) { note.add("a") }
      kill(getpid(), SIGTERM)
      exit(5)
    }
    #expect(note.taken() == "log")
  }

  @Test func `a closure that was taken back does not run, and the signal is the system's`() async {
    let note = Note()
    await #expect(processExitsWith: .signal(SIGTERM)) { [note = note as Note] in
      let end = SystemProcessEnd(log: .silent)
      let first = end.register(for: [.exit, .signals], limitSeconds: 10) { note.add("a") }
      first.cancel()
      first.cancel()
      var action = sigaction()
      sigaction(SIGTERM, nil, &action)
      #if os(Linux)
      #expect(action.__sigaction_handler.sa_handler == nil)
      #endif
      kill(getpid(), SIGTERM)
      while true { pause() }
    }
    #expect(note.taken() == "")
  }

  @Test func `without a wish the signals are not touched`() async {
    await #expect(processExitsWith: .success) {
      _ = SystemProcessEnd(log: .silent).register(for: .exit, limitSeconds: 10) {}
      for signal in EndSignals.signals {
        var action = sigaction()
        sigaction(signal, nil, &action)
        #if os(Linux)
        #expect(action.__sigaction_handler.sa_handler == nil)
        #endif
      }
    }
  }

  @Test func `a forked child leaves its parent's closures alone`() async {
    let note = Note()
    await #expect(processExitsWith: .success) { [note = note as Note] in
      let end = SystemProcessEnd(log: .silent)
      _ = end.register(for: [.exit, .signals], limitSeconds: 10) { note.add("a") }
      #expect(ForkedChild.run { exit(4) } == 4)
      let ended = ForkedChild.run {
        kill(getpid(), SIGTERM)
        return 1
      }
      #expect(ended == 128 + SIGTERM)
      let own = ForkedChild.run {
        _ = end.register(for: .signals, limitSeconds: 10) { note.add("child") }
        kill(getpid(), SIGTERM)
        while true { pause() }
      }
      #expect(own == 128 + SIGTERM)
      #expect(note.taken() == "child")
      _exit(0)
    }
    #expect(note.taken() == "")
  }

  @Test func `several clients have one handler`() async {
    let note = Note()
    await #expect(processExitsWith: .signal(SIGTERM)) { [note = note as Note] in
      let end = SystemProcessEnd(log: .silent)
      let first = end.register(for: .signals, limitSeconds: 10) { note.add("a") }
      _ = end.register(for: .signals, limitSeconds: 10) { note.add("b") }
      first.cancel()
      kill(getpid(), SIGTERM)
      while true { pause() }
    }
    #expect(note.taken() == "b")
  }
}

/// What a child process leaves for its parent to read: a file that grows by whole words.
struct Note: Codable, Sendable {
  private(set) var path = FileManager.default.temporaryDirectory.path + "/footfall-note-\(UUID())"

  func add(_ text: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }

  /// The letters, in the order of the alphabet for closures that run at the same time.
  func taken() -> String {
    defer { unlink(path) }
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    return text.count == 2 ? String(text.sorted()) : text
  }
}
#endif
