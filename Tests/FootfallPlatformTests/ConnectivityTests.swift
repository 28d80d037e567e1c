import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallPlatform

@Suite struct `Addresses of this machine` {
  @Test(arguments: [
    "localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.9.8.7", "::1", "[::1]",
  ])
  func `need no network`(host: String) { #expect(ThisMachine.isHost(host)) }

  @Test(arguments: [
    "example.com", "127.0.0.1.example.com", "127.0.0", "10.0.0.1", "localhosts", "",
  ])
  func `are told from others`(host: String) { #expect(!ThisMachine.isHost(host)) }
}

@Suite struct `Manual connectivity` {
  @Test func `tells the present answer, then each change`() {
    let network = ManualConnectivity(nil)
    let told = Lock<[Bool?]>([])
    network.start { isOnline in told.withLock { $0.append(isOnline) } }
    for isOnline in [true, true, false, nil] { network.set(isOnline) }
    network.stop()
    network.set(true)
    #expect(told.withLock { $0 } == [nil, true, false, nil])
    #expect(!network.isWatched)
  }

  @Test func `nothing known is told once`() {
    let told = Lock<[Bool?]>([])
    UnknownConnectivity().start { isOnline in told.withLock { $0.append(isOnline) } }
    #expect(told.withLock { $0 } == [nil])
  }
}
