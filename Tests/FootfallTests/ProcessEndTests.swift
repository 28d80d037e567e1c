#if os(Linux) || os(macOS)
import Footfall
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// A client in a child process that ends in good order, without a word to the client.
@Suite(.timeLimit(.minutes(5))) struct `Programs that end` {
  @Test func `what was tracked before exit is found by the next start`() async throws {
    let folder = Self.folder(ofProcess: getpid(), "exit")
    defer { Self.remove(folder) }
    await #expect(processExitsWith: .exitCode(0)) {
      let client = try Self.client(Self.folder(ofProcess: getppid(), "exit"))
      for number in 0..<3_000 { client.track(EventName("e\(number)")) }
      exit(0)
    }
    let stored = try await Self.stored(folder)
    #expect(stored == 3_000)
  }

  @Test func `so is what was tracked before another thread calls exit`() async throws {
    let folder = Self.folder(ofProcess: getpid(), "thread")
    defer { Self.remove(folder) }
    await #expect(processExitsWith: .exitCode(0)) {
      let client = try Self.client(Self.folder(ofProcess: getppid(), "thread"))
      client.track("e")
      _ = try SystemThread(name: "end") { exit(0) }
      _ = Monitor(false).wait { $0 ? true : nil }
    }
    #expect(try await Self.stored(folder) == 1)
  }

  @Test func `so is what a client got that nobody keeps any more`() async throws {
    let folder = Self.folder(ofProcess: getpid(), "gone")
    defer { Self.remove(folder) }
    await #expect(processExitsWith: .exitCode(0)) {
      try Self.client(Self.folder(ofProcess: getppid(), "gone")).track("e")
      exit(0)
    }
    #expect(try await Self.stored(folder) == 1)
  }

  @Test func `where it is asked for, that is sent before the exit`() async throws {
    let folder = Self.folder(ofProcess: getpid(), "sent")
    defer { Self.remove(folder) }
    await #expect(processExitsWith: .exitCode(0)) {
      let folder = Self.folder(ofProcess: getppid(), "sent")
      let client = try Self.client(folder, answer: .status(202)) { $0.sendsForSeconds = 60 }
      client.track("e")
      exit(0)
    }
    #expect(try await Self.stored(folder) == 0)
    #expect(FileManager.default.fileExists(atPath: folder), "The child had an outbox there.")
  }

  @Test func `where it is asked for, a signal counts as the end`() async throws {
    let folder = Self.folder(ofProcess: getpid(), "signal")
    defer { Self.remove(folder) }
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let folder = Self.folder(ofProcess: getppid(), "signal")
      let client = try Self.client(folder) { $0.catchesSignals = true }
      for number in 0..<3_000 { client.track(EventName("e\(number)")) }
      kill(getpid(), SIGTERM)
      // The end comes on another thread.
      _ = Monitor(false).wait { $0 ? true : nil }
    }
    #expect(try await Self.stored(folder) == 3_000)
  }

  private static func client(
    _ folder: String,
    answer: ScriptedTransport.Step = .fail(.offline("")),
    _ change: (inout FootfallClient.Exit) -> Void = { _ in }
  ) throws -> FootfallClient {
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    var configuration = FootfallClient.Configuration(key: "k", endpoint: endpoint)
    configuration.storage.folder = folder
    configuration.sessions.isEnabled = false
    change(&configuration.exit)
    let environment = Environment.test(
      transport: ScriptedTransport(otherwise: answer),
      random: .system,
      processEnd: Environment.liveProcessEnd(log: .silent)
    )
    return FootfallClient(configuration, environment: environment)
  }

  private static func stored(_ folder: String) async throws -> Int {
    let client = try client(folder)
    await client.settle()
    defer { client.shutdown(limitSeconds: 0) }
    return client.diagnostics.stored
  }

  private static func folder(ofProcess process: Int32, _ name: String) -> String {
    FileManager.default.temporaryDirectory.path + "/footfall-end-\(name)-\(process)"
  }

  private static func remove(_ folder: String) {
    do { try FileManager.default.removeItem(atPath: folder) } catch {
      // Left to whoever cleans the temporary folder.
    }
  }
}
#endif
