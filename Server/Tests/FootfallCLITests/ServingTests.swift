import Ingest
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
}
