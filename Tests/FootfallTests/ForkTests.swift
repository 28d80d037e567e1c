#if os(Linux)
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import Footfall

/// A client that is there twice after a fork; each test is a process of its own.
@Suite(.timeLimit(.minutes(1))) struct `Clients in a process that forks` {
  @Test func `parent and child send what is theirs, once`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      let (client, folder) = try Self.client(server)
      // What Swift makes once in a process is made: a child would wait for what was half made.
      client.track("first")
      await client.flush()
      client.track("before")
      let code = ForkedChild.run {
        client.track("child")
        client.shutdown(limitSeconds: 10)
        return client.diagnostics.delivered == 1 ? 0 : 1
      }
      #expect(code == 0)
      client.track("after")
      client.shutdown(limitSeconds: 10)
      #expect(client.diagnostics.delivered == 3)
      #expect(Self.names(server).sorted() == ["after", "before", "child", "first"])
      Self.remove(folder)
    }
  }

  @Test func `a child that never calls does nothing, and the parent goes on`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      let (client, folder) = try Self.client(server)
      client.track("a")
      await client.flush()
      #expect(ForkedChild.run { 0 } == 0)
      client.track("b")
      let report = await client.flush()
      #expect(report.delivered == 1)
      #expect(Self.names(server) == ["a", "b"])
      Self.remove(folder)
    }
  }

  @Test func `forks while eight threads track lose nothing and send nothing twice`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      let (client, folder) = try Self.client(server)
      // What Swift makes once in a process is made: a child would wait for what was half made.
      client.track("first")
      await client.flush()
      let threads = try (0..<8).map { thread in
        try SystemThread(name: "tracker") {
          for number in 0..<500 { client.track(EventName("t\(thread)-\(number)")) }
        }
      }
      for number in 0..<5 {
        let code = ForkedChild.run {
          client.track(EventName("c\(number)"))
          client.shutdown(limitSeconds: 10)
          return client.diagnostics.delivered == 1 ? 0 : 1
        }
        #expect(code == 0)
      }
      threads.forEach { $0.join() }
      client.shutdown(limitSeconds: 10)
      let names = Self.names(server)
      #expect(names.count == 4_006)
      #expect(Set(names).count == 4_006)
      Self.remove(folder)
    }
  }

  private static func client(_ server: LoopbackServer) throws -> (FootfallClient, String) {
    let folder = FileManager.default.temporaryDirectory.path + "/footfall-fork-\(getpid())"
    remove(folder)
    let endpoint = try #require(URL(string: server.url("")))
    var configuration = FootfallClient.Configuration(key: "k", endpoint: endpoint)
    configuration.storage.folder = folder
    configuration.sessions.isEnabled = false
    let client = FootfallClient()
    // What a child is started with is made there anew: it needs a transport of its own.
    client.start(configuration) { [configuration] in
      var environment = FootfallClient.liveEnvironment(configuration)
      environment.gzip = .none
      return environment
    }
    return (client, folder)
  }

  private static func names(_ server: LoopbackServer) -> [String] {
    server.requests.flatMap { request in
      let body = String(decoding: request.body, as: UTF8.self)
      return body.components(separatedBy: "\"name\":\"").dropFirst().map { rest in
        String(rest.prefix { $0 != "\"" })
      }
    }
  }

  private static func remove(_ folder: String) {
    do { try FileManager.default.removeItem(atPath: folder) } catch {
      // Not there yet, or left to whoever cleans the temporary folder.
    }
  }
}
#endif
