import Footfall
import Foundation
import Testing

@Suite struct `Quick start` {
  @Test func `one import is enough, and what it tracks is kept while no server answers`()
    async throws
  {
    let folder = NSTemporaryDirectory() + "footfall-quick-start-" + UUID().uuidString
    let footfall = try #require(quickStart(key: "ff_pub_quick_start", folder: folder))
    let report = await footfall.flush()
    #expect(report.kept == 2)
    #expect(report.problem != nil)
    footfall.shutdown(limitSeconds: 0)
    try FileManager.default.removeItem(atPath: folder)
  }
}
