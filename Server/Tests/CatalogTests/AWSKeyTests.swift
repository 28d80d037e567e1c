import Foundation
import Testing

@testable import Catalog

@Suite struct `AWS keys` {
  private static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

  @Test func `a made key is found with its secret, and its id sends nothing else`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    let made = try catalog.createAWSKey(project: project.id, label: "boto3")
    let id = try #require(made.key.value)
    #expect(id.wholeMatch(of: /AKIA[A-Z2-7]{16}/) != nil)
    #expect(made.plaintext.wholeMatch(of: /[A-Za-z0-9]{40}/) != nil)
    let found = AWSKey(keyID: made.key.id, project: project.id, secret: made.plaintext)
    #expect(catalog.awsKey(id) == found)
    var dumped = ""
    dump(found, to: &dumped)
    #expect(!"\(found) \(dumped) \(String(reflecting: found))".contains(made.plaintext))
    #expect(try fixture.open().awsKey(id) == found)
    #expect(catalog.awsKey(id + "A") == nil)
    // Anyone may see an access key id: it is no key of its own.
    #expect(catalog.resolve(ingestKey: id) == .unknown)
    #expect(try catalog.keys(project: project.id).map(\.kind) == [.aws])
    try catalog.revokeKey(made.key.id, project: project.id)
    #expect(catalog.awsKey(id) == nil)
  }

  @Test func `an adopted key keeps id, secret and rights`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    let rights = AWSRights(
      actions: ["mobiletargeting:PutEvents", "kinesis:*"],
      resources: ["arn:aws:kinesis:us-west-2:111122223333:stream/mystream", "apps/*"]
    )
    let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    let key = try catalog.adoptAWSKey(
      project: project.id,
      id: "AKIDEXAMPLE",
      secret: secret,
      rights: rights
    )
    #expect(
      catalog.awsKey("AKIDEXAMPLE")
        == AWSKey(keyID: key.id, project: project.id, secret: secret, rights: rights)
    )
    #expect(try catalog.awsRights(project: project.id) == [key.id: rights])
    #expect(throws: CatalogError.keyInUse) {
      try catalog.adoptAWSKey(project: project.id, id: "AKIDEXAMPLE", secret: Self.secret)
    }
  }

  @Test(arguments: [
    ("abc", secret, []), ("with/slash", secret, []), ("with space", secret, []),
    ("AKIDEXAMPLE", "", []), ("AKIDEXAMPLE", "fifteen-letters", []),
    ("AKIDEXAMPLE", "sixteen letters.", []), ("AKIDEXAMPLE", secret, ["PutEvents"]),
    ("AKIDEXAMPLE", secret, ["a:b,c"]),
  ])
  func `what cannot be a key is refused`(id: String, secret: String, actions: [String]) throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    #expect(throws: CatalogError.self) {
      try catalog.adoptAWSKey(
        project: project.id,
        id: id,
        secret: secret,
        rights: AWSRights(actions: actions, resources: [])
      )
    }
    #expect(try catalog.keys(project: project.id).isEmpty)
  }

  @Test func `the secret is in neither the catalogue's file nor readable by others`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    let made = try catalog.createAWSKey(project: project.id)
    for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.folder + "/" + name))
      #expect(bytes.range(of: Data(made.plaintext.utf8)) == nil, "\(name)")
    }
    let attributes = try FileManager.default.attributesOfItem(
      atPath: fixture.folder + "/master.key"
    )
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `without the master key's file AWS keys stop, and others go on`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    let made = try catalog.createAWSKey(project: project.id)
    let id = try #require(made.key.value)
    let ingest = try catalog.createKey(project: project.id, kind: .ingest)
    let file = fixture.folder + "/master.key"
    let kept = try String(contentsOfFile: file, encoding: .utf8)
    try FileManager.default.removeItem(atPath: file)
    func problem() throws -> String {
      let other = try fixture.open()
      #expect(other.awsKey(id) == nil)
      #expect(
        other.resolve(ingestKey: ingest.plaintext) == .project(project.id, keyID: ingest.key.id)
      )
      return try #require(other.awsKeyProblem)
    }
    #expect(try problem().contains("it is missing"))
    try "0123\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try problem().contains("64 hexadecimal digits"))
    try (String(repeating: "0", count: 64)).write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try problem().contains("The AWS keys \(made.key.id) do not work"))
    let restored = try fixture.open()
    try kept.write(toFile: file, atomically: true, encoding: .utf8)
    fixture.advance(milliseconds: 1_000)
    #expect(restored.awsKey(id)?.secret == made.plaintext)
    #expect(restored.awsKeyProblem == nil)
  }

  @Test func `a secret belongs to its key alone`() throws {
    let fixture = try Fixture()
    let key = try MasterKey.made(at: fixture.folder + "/k")
    let sealed = key.seal("secret", of: "a")
    #expect(key.unseal(sealed, of: "a") == "secret")
    #expect(key.unseal(sealed, of: "b") == nil)
    #expect(key.unseal(Array(sealed.dropLast()), of: "a") == nil)
    #expect(key.unseal([], of: "a") == nil)
    #expect(key.seal("secret", of: "a") != sealed)
    #expect(try MasterKey.made(at: fixture.folder + "/k").unseal(sealed, of: "a") == "secret")
  }

  @Test func `what another process does to a key or an application counts within a second`() throws
  {
    let fixture = try Fixture()
    let server = try fixture.open()
    let command = try fixture.open()
    let project = try command.createProject(name: "Notes")
    let key = try command.createAWSKey(project: project.id)
    let app = try command.addPinpointApp(project: project.id)
    let id = try #require(key.key.value)
    fixture.advance(milliseconds: 1_000)
    #expect(server.awsKey(id)?.secret == key.plaintext)
    #expect(server.pinpointApp(app.id) == app)
    try command.revokeKey(key.key.id, project: project.id)
    try command.removePinpointApp(app.id, project: project.id)
    fixture.advance(milliseconds: 1_000)
    #expect(server.awsKey(id) == nil)
    #expect(server.pinpointApp(app.id) == nil)
  }
}

@Suite struct `Pinpoint applications` {
  @Test func `a project gets a new one, or the one its apps name`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    let made = try catalog.addPinpointApp(project: project.id)
    #expect(made.id.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    #expect(made.name == "Notes")
    let adopted = try catalog.addPinpointApp(
      project: project.id,
      id: "0123456789ABCDEF0123456789abcdef",
      name: "Old"
    )
    #expect(adopted.id == "0123456789abcdef0123456789abcdef")
    #expect(catalog.pinpointApp(adopted.id) == adopted)
    #expect(Set(try catalog.pinpointApps(project: project.id)) == [made, adopted])
  }

  @Test func `an id that is none, or another's, is refused`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    let other = try catalog.createProject(name: "Shop")
    let app = try catalog.addPinpointApp(project: project.id)
    for id in ["", "0123", String(repeating: "g", count: 32), app.id] {
      #expect(throws: CatalogError.self) { try catalog.addPinpointApp(project: other.id, id: id) }
    }
    #expect(throws: CatalogError.unknownProject(99)) { try catalog.addPinpointApp(project: 99) }
    #expect(try catalog.removePinpointApp(app.id, project: other.id) == nil)
    #expect(catalog.pinpointApp(app.id) == app)
    #expect(try catalog.removePinpointApp(app.id, project: project.id) == app)
    #expect(catalog.pinpointApp(app.id) == nil)
  }
}
