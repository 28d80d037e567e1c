#if os(Linux)
import FootfallSystem
import FootfallTesting
import Glibc
import Testing

@testable import FootfallPlatform

@Suite struct `Route tables` {
  static let head =
    "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"

  @Test(arguments: [
    ("eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n", true),
    ("eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n", true),
    ("eth0\t0000FEA9\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n", false),
    ("eth0\t000000E0\t00000000\t0001\t0\t0\t0\t000000F0\t0\t0\t0\n", false),
    ("eth0\t00000000\t010200C0\t0000\t0\t0\t0\t00000000\t0\t0\t0\n", false),
    ("eth0\t00000000\t010200C0\t0201\t0\t0\t0\t00000000\t0\t0\t0\n", false),
    ("docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n", false),
    ("eth0\tnonsense\n", false), ("", false),
  ])
  func `a route of IPv4 by a running interface leads out`(line: String, hasRoute: Bool) {
    #expect(RouteTable.hasRoute(v4: Self.head + line, by: ["eth0", "wlan0"]) == hasRoute)
  }

  static func v6(_ destination: String, _ length: String, _ flags: String, _ name: String) -> String
  {
    let zero = String(repeating: "0", count: 32)
    let address = destination + zero.dropFirst(destination.count)
    return
      "\(address) \(length) \(zero) 00 \(zero) 00000400 00000002 00000000 \(flags)     \(name)\n"
  }

  @Test(arguments: [
    (v6("", "00", "00000003", "eth0"), true), (v6("fd00", "40", "00000001", "eth0"), true),
    (v6("fe80", "40", "00000001", "eth0"), false), (v6("ff00", "08", "00000001", "eth0"), false),
    (v6("fd00", "80", "80200001", "eth0"), false), (v6("", "00", "00200200", "lo"), false),
    (v6("", "00", "00000200", "eth0"), false), ("nonsense\n", false), ("", false),
  ])
  func `a route of IPv6 by a running interface leads out`(line: String, hasRoute: Bool) {
    #expect(RouteTable.hasRoute(v6: line, by: ["eth0"]) == hasRoute)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Connectivity on Linux` {
  /// A kernel that a test speaks for: what is written to `voice` wakes the watcher.
  struct Kernel {
    let connectivity: NetlinkConnectivity
    let voice: Int32
    let present = Monitor<(isOnline: Bool?, readings: Int)>((true, 0))
    let told = Monitor<[Bool?]>([])

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == 0)
      let socket = ends[0]
      voice = ends[1]
      connectivity = NetlinkConnectivity(openSocket: { socket }) { [present] in
        present.change { state in
          state.readings += 1
          return state.isOnline
        }
      }
    }

    func start() {
      connectivity.start { [told] isOnline in told.change { $0.append(isOnline) } }
    }

    func becomes(_ isOnline: Bool?) {
      present.withLock { $0.isOnline = isOnline }
      notice()
    }

    func notice() {
      var byte: UInt8 = 1
      send(voice, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    func wait(for answers: [Bool?]) -> Bool {
      told.wait(timeoutSeconds: 20) { $0 == answers ? true : nil } ?? false
    }
  }

  @Test func `the present answer is told, then each change, and nothing after the stop`() throws {
    let kernel = try Kernel()
    defer { close(kernel.voice) }
    kernel.start()
    #expect(kernel.wait(for: [true]))
    kernel.becomes(false)
    #expect(kernel.wait(for: [true, false]))
    kernel.becomes(nil)
    #expect(kernel.wait(for: [true, false, nil]))
    kernel.connectivity.stop()
    kernel.connectivity.stop()
  }

  @Test func `a burst of notices is one reading, and no difference is not told`() throws {
    let kernel = try Kernel()
    defer { close(kernel.voice) }
    kernel.start()
    #expect(kernel.wait(for: [true]))
    for _ in 0..<100 { kernel.notice() }
    kernel.becomes(false)
    #expect(kernel.wait(for: [true, false]))
    // One at the start, one or two for the burst: the second after it takes what came meanwhile.
    #expect(kernel.present.withLock { $0.readings } <= 3)
    kernel.connectivity.stop()
  }

  @Test func `without a socket nothing is known and nothing runs`() {
    let told = Lock<[Bool?]>([])
    let connectivity = NetlinkConnectivity(openSocket: { nil }, read: { true })
    connectivity.start { isOnline in told.withLock { $0.append(isOnline) } }
    #expect(told.withLock { $0 } == [nil])
    connectivity.stop()
  }

  @Test func `the real kernel answers once`() {
    let told = Monitor<[Bool?]>([])
    let connectivity = NetlinkConnectivity()
    connectivity.start { isOnline in told.change { $0.append(isOnline) } }
    #expect(told.wait(timeoutSeconds: 20) { $0.isEmpty ? nil : true } == true)
    connectivity.stop()
  }

  @Test func `a child of a fork can stop its parent's watch and begin its own`() async {
    await #expect(processExitsWith: .success) {
      let kernel = try Kernel()
      kernel.start()
      _ = kernel.wait(for: [true])
      let code = ForkedChild.run {
        kernel.connectivity.stop()
        let told = Monitor<[Bool?]>([])
        let own = NetlinkConnectivity()
        own.start { isOnline in told.change { $0.append(isOnline) } }
        return told.wait(timeoutSeconds: 10) { $0.isEmpty ? nil : true } == true ? 0 : 1
      }
      #expect(code == 0)
      kernel.becomes(false)
      #expect(kernel.wait(for: [true, false]), "The parent's watch goes on.")
    }
  }
}
#endif
