import Foundation
import Testing

@Suite struct `The privacy manifest` {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let file = root.appending(path: "Sources/Footfall/PrivacyInfo.xcprivacy")

  private func manifest() throws -> [String: Any] {
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: Self.file),
      format: nil
    )
    return try #require(list as? [String: Any])
  }

  /// The Swift and C sources that an app links.
  private func sources() throws -> [(path: String, text: String)] {
    let folder = Self.root.appending(path: "Sources")
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try paths.compactMap { $0 as? String }
      .filter { $0.hasPrefix("Footfall") || $0.hasPrefix("CCRC32C") }
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h") }
      .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }

  // What Apple's build carries cannot be looked at here; the manifest's line that adds it can.
  @Test func `SDL-99: is one, and the package adds it to the bundle that Apple's tools look into`()
    throws
  {
    let folder = Self.root.appending(path: "Sources").path
    let paths = try #require(FileManager.default.enumerator(atPath: folder))
    let found = paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".xcprivacy") }
    #expect(found == ["Footfall/PrivacyInfo.xcprivacy"])
    let package = try String(
      contentsOf: Self.root.appending(path: "Package.swift"),
      encoding: .utf8
    )
    #expect(package.contains(#"[.copy("PrivacyInfo.xcprivacy")]"#))
  }

  @Test func `SDL-99: says that nobody is tracked across apps`() throws {
    let manifest = try manifest()
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
  }

  @Test func `names what is collected, each for analytics alone`() throws {
    let collected = try #require(
      try manifest()["NSPrivacyCollectedDataTypes"] as? [[String: Any]]
    )
    let kinds = collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
    let prefix = "NSPrivacyCollectedDataType"
    #expect(kinds == ["ProductInteraction", "DeviceID", "UserID"].map { prefix + $0 })
    for kind in collected {
      #expect(kind["NSPrivacyCollectedDataTypeLinked"] as? Bool == true)
      #expect(kind["NSPrivacyCollectedDataTypeTracking"] as? Bool == false)
      let purposes = kind["NSPrivacyCollectedDataTypePurposes"] as? [String]
      #expect(purposes == ["NSPrivacyCollectedDataTypePurposeAnalytics"])
    }
  }

  @Test func `SDL-99: gives a permitted reason for each interface that needs one, no other`() throws
  {
    let accessed = try #require(try manifest()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    var given: [String: [String]] = [:]
    for entry in accessed {
      let category = try #require(entry["NSPrivacyAccessedAPIType"] as? String)
      given[category] = try #require(entry["NSPrivacyAccessedAPITypeReasons"] as? [String])
    }
    let sources = try sources()
    #expect(sources.count > 50)
    for category in RequiredReasonCategory.all {
      let users = sources.filter { category.isUsed(by: $0.text) }.map(\.path)
      let reasons = given.removeValue(forKey: category.name) ?? []
      #expect(reasons.isEmpty == users.isEmpty, "\(category.name) is used in \(users)")
      #expect(Set(reasons).isSubset(of: category.reasons))
    }
    #expect(given.isEmpty)
  }

  @Test(arguments: [
    ("let size = try statvfs(path)", "DiskSpace"), ("var info = stat()", "FileTimestamp"),
    ("UserDefaults.standard", "UserDefaults"), ("systemUptime", "SystemBootTime"),
    ("let statistics = restat(0) // fstatic", nil), ("/// statvfs would do", nil),
  ])
  func `finds an interface by its whole name, outside comments`(text: String, name: String?) {
    let found = RequiredReasonCategory.all.filter { $0.isUsed(by: text) }.map(\.name)
    #expect(found == (name.map { ["NSPrivacyAccessedAPICategory" + $0] } ?? []))
  }
}
