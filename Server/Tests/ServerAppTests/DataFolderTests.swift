import Foundation
import ServerApp
import Testing

@Suite struct `Data folder` {
  /// A fresh path below the system's temporary folder, removed after the body.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "footfall-" + UUID().uuidString
    defer {
      do { try FileManager.default.removeItem(atPath: path) } catch {}
    }
    try body(path)
  }

  @Test func `a missing folder is made, readable by its owner alone, and accepted again`() throws {
    try withFolder { path in
      let folder = DataFolder(path: path + "/a/b")
      try folder.prepare()
      try folder.prepare()
      try folder.checkExisting()
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func `an empty folder that was there before becomes its owner's alone`() throws {
    try withFolder { path in
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755]
      )
      try DataFolder(path: path).prepare()
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func `where the server runs is kept, for the links that commands print`() throws {
    try withFolder { path in
      let folder = DataFolder(path: path)
      try folder.prepare()
      #expect(try folder.lastAddress() == nil)
      try folder.note(address: "http://127.0.0.1:4002")
      try folder.note(address: "http://127.0.0.1:4003")
      #expect(try folder.lastAddress() == "http://127.0.0.1:4003")
    }
  }

  @Test func `a folder of a later version is refused with the version it needs`() throws {
    try withFolder { path in
      let folder = DataFolder(path: path)
      try folder.prepare()
      try "\(Versions.disk + 1)\nfootfall 99.0.0\n".write(
        toFile: path + "/format",
        atomically: true,
        encoding: .utf8
      )
      let error = #expect(throws: StartError.self) { try folder.prepare() }
      #expect(error?.description.contains("has layout \(Versions.disk + 1)") == true)
      #expect(throws: StartError.self) { try folder.checkExisting() }
    }
  }

  @Test func `a folder with something else in it is left alone`() throws {
    try withFolder { path in
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try "hello".write(toFile: path + "/thesis.txt", atomically: true, encoding: .utf8)
      #expect(throws: StartError.self) { try DataFolder(path: path).prepare() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["thesis.txt"])
    }
  }

  @Test func `a damaged format file is an error, not a new folder`() throws {
    try withFolder { path in
      let folder = DataFolder(path: path)
      try folder.prepare()
      try "?".write(toFile: path + "/format", atomically: true, encoding: .utf8)
      #expect(throws: StartError.self) { try folder.prepare() }
    }
  }

  @Test func `reading from a folder that is not there says so and makes nothing`() throws {
    try withFolder { path in
      #expect(throws: StartError.self) { try DataFolder(path: path).checkExisting() }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}

@Suite struct `Share folder` {
  @Test func `the flag wins over the environment, the environment over the neighbourhood`() {
    let everything: (String) -> Bool = { _ in true }
    let environment = [ShareFolder.variable: "/from/environment"]
    #expect(
      ShareFolder.find(
        flag: "/flag",
        environment: environment,
        executable: "/a/b/footfall",
        exists: everything
      )
        == "/flag"
    )
    #expect(
      ShareFolder.find(
        flag: nil,
        environment: environment,
        executable: "/a/b/footfall",
        exists: everything
      )
        == "/from/environment"
    )
  }

  @Test(arguments: [
    ("/usr/local/bin/footfall", "/usr/local/share/footfall"),
    ("/src/footfall/Server/.build/debug/footfall", "/src/footfall/share/footfall"),
  ])
  func `an installed and a built binary find theirs`(executable: String, expected: String) {
    let found = ShareFolder.find(
      flag: nil,
      environment: [:],
      executable: executable,
      exists: { $0 == expected }
    )
    #expect(found == expected)
  }

  @Test func `nothing is found where nothing is`() {
    #expect(
      ShareFolder.find(
        flag: nil,
        environment: [:],
        executable: "/a/footfall",
        exists: { _ in false }
      )
        == nil
    )
  }
}
