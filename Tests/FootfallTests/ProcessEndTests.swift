#if os(Linux) || os(macOS)
import Footfall
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// A client in a child process that ends in good order, without a word to the client.
@Suite(.timeLimit(.minutes(1))) struct `Programs that end` {
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

  private static func client(_ folder: String) throws -> FootfallClient {
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    var configuration = FootfallClient.Configuration(key: "k", endpoint: endpoint)
    configuration.storage.folder = folder
    configuration.sessions.isEnabled = false
    let environment = Environment.test(
      transport: ScriptedTransport(otherwise: .fail(.offline(""))),
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
