import Catalog
import Foundation
import FootfallSystem
import ServerApp
import Testing

@testable import FootfallCLI

@Suite struct `Commands for AWS clients` {
  /// A data folder of its own.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/cli-aws-\(UUID().uuidString)"

    init() throws { try DataFolder(path: path).prepare() }

    deinit {
      do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
    }

    func catalog() throws -> Catalog { try Catalog(path: DataFolder(path: path).catalogue) }

    func run(_ words: String...) -> (status: Int32, out: [String], error: String) {
      let printed = Lock((out: [String](), error: ""))
      let terminal = Terminal(
        out: { line in printed.withLock { $0.out.append(line) } },
        error: { line in printed.withLock { $0.error += line } }
      )
      let status = Footfall.run(words + ["--data", path], terminal: terminal)
      return printed.withLock { (status, $0.out, $0.error) }
    }
  }

  @Test(
    "AWS-U1 AWS-C1 AWS-C2 AWS-C3 a new project gets an application, a key that works at once and its configuration"
  )
  func newProject() throws {
    let folder = try Folder()
    let made = folder.run("project", "create", "reports", "--pinpoint", "--region", "eu-west-1")
    #expect(made.status == 0)
    let app = try #require(made.out.first { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
    func value(_ name: String) throws -> String {
      let line = try #require(made.out.first { $0.hasPrefix(name + " = ") })
      return String(line.dropFirst(name.count + 3))
    }
    let catalog = try folder.catalog()
    let key = try #require(catalog.awsKey(try value("aws_access_key_id")))
    #expect(key.secret == (try value("aws_secret_access_key")))
    #expect(key.rights == .all)
    #expect(catalog.pinpointApp(app)?.project == key.project)
    let json = try #require(made.out.first { $0.hasPrefix("{") })
    let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
    #expect(
      parsed == [
        "Version": "1.0",
        "PinpointAnalytics": ["Default": ["AppId": app, "Region": "eu-west-1"]],
        "PinpointTargeting": ["Default": ["Region": "eu-west-1"]],
      ]
    )
    let listed = folder.run("project", "list").out
    #expect(listed == ["\(key.project)\treports\tUTC\tready\t\(app)"])
  }

  @Test func `a project adopts the application that its apps name`() throws {
    let folder = try Folder()
    let project = try folder.catalog().createProject(name: "Notes")
    let id = "0123456789abcdef0123456789abcdef"
    for _ in 0..<2 {
      let shown = folder.run("project", "pinpoint", "Notes", "--app-id", id)
      #expect(shown.status == 0)
      #expect(shown.out.contains(id))
    }
    #expect(folder.run("project", "pinpoint", "Notes").out.contains(id))
    #expect(try folder.catalog().pinpointApp(id)?.project == project.id)
    let wrong = folder.run("project", "pinpoint", "Notes", "--app-id", "12")
    #expect(wrong.status == 1)
    #expect(wrong.error.contains("32 hexadecimal digits"))
    #expect(folder.run("project", "pinpoint", "Notes", "--region", "A B").status == 2)
    #expect(folder.run("project", "create", "Shop", "--app-id", id).status == 2)
  }

  @Test func `an access key is taken over with a secret from a file, and narrowed`() throws {
    let folder = try Folder()
    _ = try folder.catalog().createProject(name: "Notes")
    let file = folder.path + "/secret"
    let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    try Data((secret + "\n").utf8).write(to: URL(fileURLWithPath: file))
    let added = folder.run(
      "key",
      "add",
      "AKIDEXAMPLE",
      "--kind",
      "aws",
      "--secret-file",
      file,
      "--allow",
      "mobiletargeting:UpdateEndpoint,mobiletargeting:PutEvents",
      "--resource",
      "arn:aws:mobiletargeting:*:111122223333:apps/0123*"
    )
    #expect(added.status == 0)
    let key = try #require(try folder.catalog().awsKey("AKIDEXAMPLE"))
    #expect(key.secret == secret)
    #expect(key.rights.allow("mobiletargeting:PutEvents", on: ["apps/0123/events"]))
    #expect(!key.rights.allow("mobiletargeting:GetEndpoint", on: ["apps/0123/events"]))
    let listed = folder.run("key", "list").out.joined()
    #expect(listed.contains("AKIDEXAMPLE"))
    #expect(
      listed.hasSuffix("mobiletargeting:UpdateEndpoint,mobiletargeting:PutEvents on apps/0123*")
    )
    #expect(!(listed + added.out.joined() + added.error).contains(secret))
    #expect(
      folder.run("key", "revoke", "\(key.keyID)").out == [
        "Key \(key.keyID) is refused from now on."
      ]
    )
    let again = folder.run("key", "revoke", "\(key.keyID)")
    #expect(again.out.joined().hasPrefix("Key \(key.keyID) was revoked already, on 20"))
    #expect(try folder.catalog().awsKey("AKIDEXAMPLE") == nil)
  }

  @Test func `wrong words are told apart`() throws {
    let folder = try Folder()
    _ = try folder.catalog().createProject(name: "Notes")
    for (words, message) in [
      (["AKIDEXAMPLE", "--kind", "aws"], "--secret-file is needed"),
      (["--kind", "aws", "--secret-file", "-"], "--secret-file needs the ID"),
      (["AKIDEXAMPLE", "--kind", "aws", "--secret-file", "/none"], "cannot be read"),
      (["--kind", "amplitude"], "VALUE is missing"),
      (["value-1", "--kind", "amplitude", "--allow", "a:b"], "--allow is for keys of kind aws"),
      (["value-1"], "--kind is needed"),
    ] {
      let printed = Lock("")
      let terminal = Terminal(out: { _ in }, error: { line in printed.withLock { $0 += line } })
      let status = Footfall.run(
        ["key", "add"] + words + ["--data", folder.path],
        terminal: terminal
      )
      #expect(status == 2, "\(words)")
      #expect(printed.withLock { $0.contains(message) }, "\(words)")
    }
    #expect(folder.run("key", "add", "--kind", "aws", "--allow", "PutEvents").status == 1)
  }
}
