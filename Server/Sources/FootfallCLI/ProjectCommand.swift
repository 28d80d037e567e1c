import Catalog

/// What `footfall project` does, but for the settings of apps.
enum ProjectCommand {
  static func create(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "time-zone", "app-id", "region"],
        switches: ["pinpoint"],
        positional: 1...1,
        word: "NAME"
      )
    )
    let isPinpoint = arguments.switches.contains("pinpoint")
    for option in ["app-id", "region"] where arguments.options[option] != nil && !isPinpoint {
      throw UsageError("--\(option) goes with --pinpoint.")
    }
    let region = try region(arguments)
    let catalog = try CatalogueCommand.open(arguments)
    let project = try catalog.createProject(
      name: arguments.positional[0],
      timeZone: arguments.options["time-zone"] ?? "UTC",
      by: .commandLine
    )
    let key = try catalog.createKey(
      project: project.id,
      kind: .ingest,
      label: "First app",
      by: .commandLine
    )
    terminal.out("Project \(project.id) “\(project.name)”. Its apps send with the key")
    terminal.out(key.plaintext)
    guard isPinpoint else { return }
    let app = try catalog.addPinpointApp(
      project: project.id,
      id: arguments.options["app-id"],
      by: .commandLine
    )
    show([app], region: region, terminal)
    terminal.out("AWS clients sign with")
    AWSKeyCommand.show(
      try catalog.createAWSKey(project: project.id, label: "First app", by: .commandLine),
      terminal
    )
  }

  static func list(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data"]))
    let catalog = try CatalogueCommand.open(arguments)
    for project in try catalog.projects() {
      let isReady = try catalog.keys(project: project.id).contains { !$0.isRevoked }
      let apps = try catalog.pinpointApps(project: project.id).map(\.id).joined(separator: ",")
      terminal.out(
        "\(project.id)\t\(EventLine.printable(project.name))\t\(project.timeZone)\t\(isReady ? "ready" : "no key")\t\(apps)"
      )
    }
  }

  /// Shows a project's Pinpoint applications, after making or adopting one where that is asked for.
  static func pinpoint(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "app-id", "region"],
        positional: 1...1,
        word: "NAME"
      )
    )
    let region = try region(arguments)
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(named: arguments.positional[0], in: catalog)
    var apps = try catalog.pinpointApps(project: project.id)
    let wanted = arguments.options["app-id"]
    if wanted.map({ id in !apps.contains { $0.id == id.lowercased() } }) ?? apps.isEmpty {
      apps = [
        try catalog.addPinpointApp(project: project.id, id: wanted, by: .commandLine)
      ]
    }
    show(apps, region: region, terminal)
  }

  private static func show(_ apps: [PinpointApp], region: String, _ terminal: Terminal) {
    terminal.out("Its Pinpoint application is")
    for app in apps { terminal.out(app.id) }
    guard let app = apps.first else { return }
    terminal.out("The AWS SDK for iOS finds it by this awsconfiguration.json:")
    terminal.out(
      """
      {
        "Version": "1.0",
        "PinpointAnalytics": { "Default": { "AppId": "\(app.id)", "Region": "\(region)" } },
        "PinpointTargeting": { "Default": { "Region": "\(region)" } }
      }
      """
    )
  }

  private static func region(_ arguments: Arguments) throws(UsageError) -> String {
    let region = arguments.options["region"] ?? "us-east-1"
    guard region.wholeMatch(of: /[a-z0-9-]{1,64}/) != nil else {
      throw UsageError("--region takes a name like us-east-1, not “\(region)”.")
    }
    return region
  }
}
