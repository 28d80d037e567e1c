import Foundation
import Testing

@Suite struct `The guide for apps that come from Amplitude` {
  private static let articles = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/Footfall/Footfall.docc").standardized

  @Test(arguments: [
    "An app that sets a user id declares the type User ID",
    "sets `NSPrivacyTracking` to true", "the host that events are uploaded to",
    "in `NSPrivacyTrackingDomains`: that of the endpoint, or of the proxy",
    "a restored backup brings the device id along", "Keep a reference to each instance",
    "A proxy** of the app's own needs HTTPS, or an exception", "which is sent as `productId`",
  ])
  func `AMP-P39: says what an app has to do before it ships`(sentence: String) throws {
    let article = Self.articles.appendingPathComponent("MovingFromAmplitude.md")
    let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
    let text = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    #expect(text.contains(sentence))
  }
}
