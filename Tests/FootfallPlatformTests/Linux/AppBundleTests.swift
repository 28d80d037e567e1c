#if os(Linux)
import Foundation
import Testing

@testable import FootfallPlatform

@Suite struct `App bundle` {
  @Test func `a bundle is looked for by name, however many files lie beside the executable`() {
    let places = AppBundle.infoPlaces(ofExecutable: "/usr/bin/player")
    #expect(places.count == 8)
    for place in [
      "/usr/bin/Info.plist", "/usr/bin/player.resources/Info.plist",
      "/usr/bin/../share/player.resources/Info.plist", "/usr/bin/Contents/Info.plist",
      "/usr/bin/../Resources/Info.plist",
    ] {
      #expect(places.contains(place))
    }
  }

  // Folders are named by it: another name would be another folder, and what lies in the old one lost.
  @Test func `the executable has the name that Foundation gives it`() {
    let path = Bundle.main.executablePath ?? ""
    #expect(AppBundle.executableName == (path as NSString).lastPathComponent)
    #expect(StorageLocation.appID == Bundle.main.bundleIdentifier ?? AppBundle.executableName)
  }

  @Test func `what Foundation knows of the app is known`() {
    #expect(AppBundle.identifier == Bundle.main.bundleIdentifier)
    for key in ["CFBundleShortVersionString", "CFBundleVersion"] {
      #expect(AppBundle.text(key) == Bundle.main.object(forInfoDictionaryKey: key) as? String)
    }
  }

  @Test func `a link says what it points at`() throws {
    let folder = NSTemporaryDirectory() + "footfall-link-\(UUID().uuidString)"
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: "/where/ever")
    defer { unlink(folder) }
    #expect(linkTarget(of: folder) == "/where/ever")
    #expect(linkTarget(of: folder + "-none") == nil)
  }
}
#endif
