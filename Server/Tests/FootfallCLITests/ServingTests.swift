import HTTPServing
import Ingest
import IngestLog
import ServerApp
import Testing

@testable import FootfallCLI

@Suite struct `What a server is started with` {
  @Test(arguments: [([], false), (["--keep-addresses"], true)] as [([String], Bool)])
  func `addresses are kept only where the operator says so`(
    words: [String],
    isKept: Bool
  ) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: Serving.options, switches: Serving.switches)
    )
    #expect(try Serving.settings(arguments).ingest.keepsAddresses == isKept)
  }

  @Test func `the file of places and the proxies that are believed are the operator's`() throws {
    func settings(_ words: String...) throws -> ServerSettings {
      try Serving.settings(
        try Arguments(words, shape: Arguments.Shape(options: Serving.options))
      )
    }
    let plain = try settings()
    #expect(plain.places == nil && plain.limits.trustedProxies.isEmpty)
    let told = try settings(
      "--country-db",
      "/var/lib/GeoLite2-City.mmdb",
      "--trusted-proxies",
      "10.0.0.0/8, 192.0.2.1"
    )
    #expect(told.places == "/var/lib/GeoLite2-City.mmdb")
    #expect(
      told.limits.trustedProxies == ["10.0.0.0/8", "192.0.2.1"].compactMap(AddressRange.init)
    )
    #expect(throws: UsageError.self) { try settings("--trusted-proxies", "proxy") }
  }

  @Test func `connections are as many as the operator says`() throws {
    let words = ["--connections", "100", "--connections-per-address", "7"]
    let arguments = try Arguments(words, shape: Arguments.Shape(options: Serving.options))
    let limits = try Serving.settings(arguments).limits
    #expect(limits.connections == 100 && limits.connectionsPerAddress == 7)
  }

  @Test(arguments: [([], 86_400), (["--keep-log", "0"], 0), (["--keep-log", "48"], 172_800)])
  func `the log keeps what the store has for as long as the operator says`(
    words: [String],
    seconds: Int
  ) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: Serving.options))
    #expect(try Serving.settings(arguments).log.retention.keepsLoadedSeconds == seconds)
  }
}
