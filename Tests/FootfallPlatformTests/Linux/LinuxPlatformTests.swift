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

@Suite struct `Device context on Linux` {
  @Test(
    arguments: [
      ("NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n", "Debian GNU/Linux 12"),
      ("NAME=Fedora\nID=fedora\n", "Fedora"),
      ("# nothing\nVERSION_ID=1\n", nil),
      ("", nil),
    ] as [(String, String?)]
  )
  func `the system's name is read from os-release`(text: String, name: String?) {
    #expect(DeviceContext.osRelease(text) == name)
  }

  @Test func `the present context names library, platform, system and machine`() {
    let context = DeviceContext.current
    #expect(context.library.hasPrefix("footfall-swift/"))
    #expect(context.platform == "Linux")
    #expect(context.os?.isEmpty == false)
    #expect(context.model?.isEmpty == false)
  }
}
#endif
