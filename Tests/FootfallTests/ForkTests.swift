#if os(Linux)
import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import Footfall

/// A client that is there twice after a fork; each test is a process of its own.
@Suite(.timeLimit(.minutes(5))) struct `Clients in a process that forks` {
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

  /// How long after the client's start the fork comes, in steps of some µs.
  @Test(arguments: [0, 1, 5, 20, 50, 100, 200, 400, 800, 1_600])
  func `a fork in a client's first moments hangs no child and forgets no user`(steps: Int) async {
    await #expect(processExitsWith: .success) { [steps = steps as Int] in
      let server = try LoopbackServer()
      let (client, folder) = try Self.client(server)
      client.setUserID("user-1")
      client.track("parent")
      Self.work(steps)
      let code = ForkedChild.run {
        client.track("child")
        client.shutdown(limitSeconds: 10)
        return client.diagnostics.delivered == 1 && client.userID == "user-1" ? 0 : 1
      }
      #expect(code == 0)
      client.shutdown(limitSeconds: 10)
      #expect(Self.names(server).sorted() == ["child", "parent"])
      #expect(Self.texts("user_id", server) == ["user-1", "user-1"])
      let (next, _) = try Self.client(server, isNew: false)
      await next.settle()
      #expect(next.userID == "user-1")
      next.shutdown(limitSeconds: 0)
      Self.remove(folder)
    }
  }

  @Test func `a child's events are completed as the parent's, by what was said last`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      let (client, folder) = try Self.client(server)
      client.setUserID("user-1")
      client.track("first")
      await client.flush()
      client.add(
        ProbePlugin("mark", .enrichment) { event in
          var event = event
          event.properties["mark"] = "seen"
          return event
        }
      )
      client.add(ProbePlugin("gone", .enrichment) { _ in nil })
      client.plugins.last.map { client.remove($0) }
      client.setDefaultProperties(["plan": "pro"])
      client.setUserID("user-2")
      let device = client.deviceID
      let code = ForkedChild.run {
        client.track("child")
        client.shutdown(limitSeconds: 10)
        return client.userID == "user-2" && client.deviceID == device ? 0 : 1
      }
      #expect(code == 0)
      client.track("parent")
      client.shutdown(limitSeconds: 10)
      #expect(Self.names(server) == ["first", "child", "parent"])
      #expect(Self.texts("user_id", server) == ["user-1", "user-2", "user-2"])
      #expect(Self.texts("mark", server) == ["seen", "seen"])
      #expect(Self.texts("plan", server) == ["pro", "pro"])
      #expect(Set(Self.texts("device_id", server)) == [device])
      Self.remove(folder)
    }
  }

  @Test func `a child can ask for what threads of its parent were asking for`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      let (client, folder) = try Self.client(server)
      client.track("first")
      await client.flush()
      let isOver = Lock(false)
      let readers = try (0..<4).map { _ in
        try SystemThread(name: "reader") {
          while !isOver.withLock({ $0 }) {
            _ = client.remoteConfiguration
            _ = client.remoteConfigurationChanges
            _ = client.plugins
          }
        }
      }
      for _ in 0..<50 {
        let code = ForkedChild.run {
          _ = client.remoteConfigurationChanges
          return client.remoteConfiguration == RemoteConfiguration() && client.plugins.isEmpty
            ? 0 : 1
        }
        #expect(code == 0)
      }
      isOver.withLock { $0 = true }
      readers.forEach { $0.join() }
      client.shutdown(limitSeconds: 0)
      Self.remove(folder)
    }
  }

  /// Keeps the calling thread busy, without a clock and without sleeping.
  private static func work(_ steps: Int) {
    let sum = (0..<UInt64(steps) * 100).reduce(1) { $0 &* 31 &+ $1 }
    #expect(sum > 0)
  }

  private static func client(
    _ server: LoopbackServer,
    isNew: Bool = true
  ) throws -> (FootfallClient, String) {
    let folder = FileManager.default.temporaryDirectory.path + "/footfall-fork-\(getpid())"
    if isNew { remove(folder) }
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

  private static func names(_ server: LoopbackServer) -> [String] { texts("name", server) }

  /// The texts of a field, in the order in which they were sent.
  private static func texts(_ field: String, _ server: LoopbackServer) -> [String] {
    server.requests.flatMap { request in
      let body = String(decoding: request.body, as: UTF8.self)
      return body.components(separatedBy: "\"\(field)\":\"").dropFirst().map { rest in
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
