#if os(Linux)
import Testing

@testable import FootfallPlatform

@Suite struct `Storage location on Linux` {
  @Test(
    arguments: [
      ("/state", "/home/a", "/state/app/Footfall"),
      ("/state/", "/home/a", "/state/app/Footfall"),
      (nil, "/home/a", "/home/a/.local/state/app/Footfall"),
      ("", "/home/a", "/home/a/.local/state/app/Footfall"),
      ("relative", "/home/a", "/home/a/.local/state/app/Footfall"),
      ("/state", nil, "/state/app/Footfall"),
    ] as [(String?, String?, String)]
  )
  func `the folder follows the XDG rule`(stateHome: String?, home: String?, path: String) {
    let location = StorageLocation.location(appID: "app", stateHome: stateHome, home: home)
    #expect(location == StorageLocation(path: path, isDurable: true))
  }

  @Test(arguments: [nil, "/", "/nonexistent", "relative"] as [String?])
  func `without a home the folder is temporary and says so`(home: String?) {
    let location = StorageLocation.location(appID: "app", stateHome: nil, home: home)
    #expect(!location.isDurable)
    #expect(location.path.hasPrefix("/"))
    #expect(location.path.hasSuffix("/app"))
  }

  @Test(arguments: [
    ("com.example.shop", "com.example.shop"), ("../../etc", ".._.._etc"), ("a/b\0c", "a_b_c"),
    ("..", "unknown"), ("", "unknown"), ("My App 2", "My App 2"),
  ])
  func `an app's name cannot leave the folder`(appID: String, name: String) {
    #expect(StorageLocation.folderName(appID) == name)
  }
}
#endif
