#if os(Linux) || os(macOS)
import Footfall
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// A client in a child process that ends without a word, on the real disk.
@Suite(.timeLimit(.minutes(5))) struct `Clients that are killed` {
  @Test func `what the child had written arrives from the next process, once`() async throws {
    let folder = Self.folder(ofProcess: getpid())
    defer { Self.remove(folder) }
    for round in 0..<3 {
      await #expect(processExitsWith: .signal(SIGABRT)) {
        let offline = ScriptedTransport(otherwise: .fail(.offline("")))
        let client = try Self.client(Self.folder(ofProcess: getppid()), offline)
        for number in 0..<130 { client.track(EventName("e\(number)")) }
        await client.settle()
        abort()
      }
      let transport = ScriptedTransport()
      let client = try Self.client(folder, transport)
      let report = await client.flush()
      client.shutdown()
      #expect(client.diagnostics.delivered == 130, "round \(round): \(report)")
      let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
      for number in 0..<130 { #expect(bodies.contains("\"name\":\"e\(number)\"")) }
    }
  }

  @Test func `a child that runs beside its parent has a folder of its own`() async throws {
    let folder = Self.folder(ofProcess: getpid()) + "-beside"
    defer { Self.remove(folder) }
    let transport = ScriptedTransport()
    let parent = try Self.client(folder, transport)
    parent.track("parent")
    await parent.flush()
    await #expect(processExitsWith: .signal(SIGABRT)) {
      let offline = ScriptedTransport(otherwise: .fail(.offline("")))
      let client = try Self.client(Self.folder(ofProcess: getppid()) + "-beside", offline)
      client.track("child")
      await client.settle()
      #expect(client.diagnostics.stored == 1)
      abort()
    }
    parent.shutdown()
    let later = ScriptedTransport()
    let next = try Self.client(folder, later)
    await next.flush()
    next.shutdown()
    #expect(String(decoding: later.requests.flatMap(\.body), as: UTF8.self).contains("\"child\""))
    #expect(next.diagnostics.delivered == 1)
  }

  private static func client(
    _ folder: String,
    _ transport: ScriptedTransport
  ) throws -> FootfallClient {
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    var configuration = FootfallClient.Configuration(key: "k", endpoint: endpoint)
    configuration.storage.folder = folder
    return FootfallClient(configuration, environment: .test(transport: transport, random: .system))
  }

  private static func folder(ofProcess process: Int32) -> String {
    FileManager.default.temporaryDirectory.path + "/footfall-client-test-\(process)"
  }

  private static func remove(_ folder: String) {
    do { try FileManager.default.removeItem(atPath: folder) } catch {
      // Left to whoever cleans the temporary folder.
    }
  }
}
#endif
