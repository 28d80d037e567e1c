import Foundation
import Testing

@Suite struct `The privacy manifest` {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Who brings a manifest, and what it says is collected.
  enum Module: String, CaseIterable {
    case footfall = "Footfall"
    case amplitude = "FootfallAmplitude"
    case simpleDataLogs = "FootfallSimpleDataLogs"
    case pinpoint = "FootfallPinpoint"
    case phase = "FootfallPhase"

    var kinds: [String] {
      switch self {
      case .footfall, .pinpoint: ["ProductInteraction", "DeviceID", "UserID"]
      // The server is asked for the place by the address. Source: `amplitude.md`, P13 and P37.
      case .amplitude: ["ProductInteraction", "DeviceID", "CoarseLocation"]
      // The server looks up the country by the address. Source: `phase.md` section 6.1.
      case .phase: ["ProductInteraction", "DeviceID", "CoarseLocation"]
      case .simpleDataLogs: ["ProductInteraction", "DeviceID", "CrashData"]
      }
    }

    var others: [Module] { Module.allCases.filter { $0 != self } }
  }

  private func manifest(_ module: Module = .footfall) throws -> [String: Any] {
    let path = "Sources/\(module.rawValue)/PrivacyInfo.xcprivacy"
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: Self.root.appending(path: path)),
      format: nil
    )
    return try #require(list as? [String: Any])
  }

  /// The Swift and C sources that an app links with a module: those of the faces bring their own.
  private func sources(_ module: Module) throws -> [(path: String, text: String)] {
    let folder = Self.root.appending(path: "Sources")
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try paths.compactMap { $0 as? String }
      .filter { $0.hasPrefix("Footfall") || $0.hasPrefix("CCRC32C") }
      .filter { path in !module.others.contains { path.hasPrefix($0.rawValue + "/") } }
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
    #expect(
      found.sorted()
        == Module.allCases.map { $0.rawValue + "/PrivacyInfo.xcprivacy" }.sorted()
    )
    let package = try String(
      contentsOf: Self.root.appending(path: "Package.swift"),
      encoding: .utf8
    )
    #expect(package.contains(#"[.copy("PrivacyInfo.xcprivacy")]"#))
    let bringers = package.components(separatedBy: "hasPrivacyManifest: true").count - 1
    #expect(bringers == Module.allCases.count)
  }

  @Test func `SDL-99: says that nobody is tracked across apps`() throws {
    let manifest = try manifest()
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
  }

  @Test(arguments: Module.allCases)
  func `names what is collected, each for analytics alone`(module: Module) throws {
    let collected = try #require(
      try manifest(module)["NSPrivacyCollectedDataTypes"] as? [[String: Any]]
    )
    let kinds = collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
    let prefix = "NSPrivacyCollectedDataType"
    #expect(kinds == module.kinds.map { prefix + $0 })
    for kind in collected {
      #expect(kind["NSPrivacyCollectedDataTypeLinked"] as? Bool == true)
      #expect(kind["NSPrivacyCollectedDataTypeTracking"] as? Bool == false)
      let purposes = kind["NSPrivacyCollectedDataTypePurposes"] as? [String]
      #expect(purposes == ["NSPrivacyCollectedDataTypePurposeAnalytics"])
    }
  }

  @Test(arguments: Module.allCases)
  func `SDL-99: gives a permitted reason for each interface that needs one, no other`(
    module: Module
  ) throws {
    let accessed = try #require(
      try manifest(module)["NSPrivacyAccessedAPITypes"] as? [[String: Any]]
    )
    var given: [String: [String]] = [:]
    for entry in accessed {
      let category = try #require(entry["NSPrivacyAccessedAPIType"] as? String)
      given[category] = try #require(entry["NSPrivacyAccessedAPITypeReasons"] as? [String])
    }
    let sources = try sources(module)
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
