import FootfallCore
import FootfallTesting
import Foundation
import Testing

@testable import FootfallPlatform

@Suite struct `Device context` {
  @Test(
    arguments: [
      ("en_GB", "GB"), ("zh-Hans-CN", "CN"), ("sr_Latn_RS", "RS"), ("de", nil), ("en_001", nil),
      ("fr_ch.UTF-8", "CH"), ("en_US@calendar=buddhist", "US"), ("en_US_POSIX", "US"), ("", nil),
    ] as [(String, String?)]
  )
  func `the country is the locale's region`(locale: String, country: String?) {
    #expect(SystemPlace.country(of: locale) == country)
  }

  @Test(
    arguments: [
      ("en_GB", "en"), ("zh-Hans-CN", "zh"), ("DE", "de"), ("C", nil), ("", nil), ("1x", nil),
    ] as [(String, String?)]
  )
  func `the language is the locale's first part`(locale: String, language: String?) {
    #expect(SystemPlace.language(of: locale) == language)
  }

  // AMP P23, P24.
  @Test(
    arguments: [
      ([0xA4, 0x83, 0xE7, 1, 2, 3], "a4:83:e7:01:02:03"), ([2, 0, 0, 0, 0, 0], nil),
      ([0, 0, 0, 0, 0, 0], nil), ([], nil), ([1, 2, 3], nil),
    ] as [([UInt8], String?)]
  )
  func `a hidden hardware address is none`(bytes: [UInt8], text: String?) {
    #expect(HardwareAddress.text(bytes) == text)
  }

  @Test func `what is known has a field, and nothing else`() {
    var device = DeviceContext(library: "l/1", platform: "iOS", os: "iOS 19.1", model: "", app: "4")
    device.carrier = "C"
    device.vendorID = "V"
    let expected: [ContextField: PropertyValue] = [
      .library: "l/1", .platform: "iOS", .os: "iOS 19.1", .appVersion: "4", .carrier: "C",
      .vendorID: "V",
    ]
    #expect(device.eventContext.values == expected)
  }

  @Test func `what the app says of itself comes first`() {
    let app = EventContext([.appVersion: "9.9", .build: "7"])
    let device = DeviceContext(platform: "Linux", app: "1.0")
    let merged = app.filled(from: device.eventContext)
    #expect(merged[.appVersion] == "9.9")
    #expect(merged[.build] == "7")
    #expect(merged[.platform] == "Linux")
  }

  @Test func `the present context names library, platform and system, and nobody`() {
    let device = DeviceContext.current
    #expect(device.library.hasPrefix("footfall-swift/"))
    #expect(
      device.os == [device.osName, device.osVersion].compactMap(\.self).joined(separator: " ")
    )
    #expect(device.osName?.isEmpty == false)
    let people = [ProcessInfo.processInfo.hostName, NSUserName(), NSHomeDirectory()]
    let texts = device.eventContext.values.values
    for name in people where name.count > 3 && name != "localhost" {
      #expect(!texts.contains(.string(name)))
    }
    #if os(Linux)
    #expect(device.platform == "Linux")
    #expect(device.model == nil)
    #expect(device.vendorID == nil)
    #endif
  }
}
