import Foundation
import Testing

@Suite struct `SimpleDataLogs: the guide for apps that move` {
  private func guide() throws -> String {
    let file = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../Sources/Footfall/Footfall.docc/MovingFromSimpleDataLogs.md")
      .standardized
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func `SDL-128: names the entitlement, an opaque device id, and a key per deployment`()
    throws
  {
    let guide = try guide()
    let sentences = guide.components(separatedBy: ". ")
    #expect(
      sentences.contains {
        $0.contains("sandboxed Mac app") && $0.contains("com.apple.security.network.client")
      }
    )
    #expect(guide.contains("never an e-mail address") && guide.contains("opaque"))
    let keys = guide.split(separator: "\n").filter { $0.hasPrefix("let key = \"sdl_pub_") }
    #expect(keys.map { String($0.suffix(while: { $0 != " " })) } == ["macos-appstore", "macos"])
  }
}

extension Substring {
  fileprivate func suffix(while isIncluded: (Character) -> Bool) -> Substring {
    self[(lastIndex { !isIncluded($0) }.map { index(after: $0) } ?? startIndex)...]
  }
}
