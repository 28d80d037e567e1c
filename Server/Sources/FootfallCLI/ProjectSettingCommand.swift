import Catalog

/// `footfall project set`: a project's name, and how its numbers are reckoned.
enum ProjectSettingCommand {
  static func run(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "name", "time-zone", "week", "currency", "rates", "revenue"],
        positional: 1...1,
        word: "NAME"
      )
    )
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(named: arguments.positional[0], in: catalog)
    let reckoning = try changed(project.reckoning, arguments)
    let name = arguments.options["name"] ?? project.name
    let zone = arguments.options["time-zone"] ?? project.timeZone
    if (name, zone) != (project.name, project.timeZone) || reckoning != project.reckoning {
      try catalog.updateProject(
        project.id,
        name: name,
        timeZone: zone,
        reckoning: reckoning == project.reckoning ? nil : reckoning,
        by: .commandLine
      )
    }
    guard let now = try catalog.project(project.id) else { return }
    terminal.out(
      "Project \(now.id) “\(now.name)”: days in \(now.timeZone), \(now.reckoning.summary)."
    )
  }

  private static func changed(
    _ reckoning: Reckoning,
    _ arguments: Arguments
  ) throws -> Reckoning {
    var new = reckoning
    if arguments.options["week"] != nil {
      let word = try arguments.choice(
        "week",
        of: Reckoning.Weekday.allCases.map(\.rawValue),
        default: reckoning.weekStart.rawValue
      )
      new.weekStart = Reckoning.Weekday(rawValue: word) ?? reckoning.weekStart
    }
    if arguments.options["revenue"] != nil {
      let word = try arguments.choice(
        "revenue",
        of: Reckoning.Formula.allCases.map(\.rawValue),
        default: reckoning.formula.rawValue
      )
      new.formula = Reckoning.Formula(rawValue: word) ?? reckoning.formula
    }
    if let text = arguments.options["rates"] {
      new.rates = text == "none" ? ExchangeRates() : try ExchangeRates(written: text)
    }
    if let code = arguments.options["currency"] { new.currency = code == "none" ? nil : code }
    return new
  }
}
