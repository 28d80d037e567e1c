/// What the command line asks for.
struct Options: Sendable, Hashable {
  var endpoint = ""
  var key = ""
  var people = 200
  var days = 90
  var seed: UInt64 = 1
  var sendsHistory = true
  var goesLive = true
  var folder: String?
  var isQuiet = false

  /// What a command line means.
  enum Request: Sendable, Hashable {
    case run(Options)
    case help
  }

  /// A command line that cannot be understood.
  struct Mistake: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  static let help = """
    footfall-sample: plays the users of a made-up app, "Inkleaf" (notes and a paper shop), through
    the Footfall SDK: first their past, sent back-dated, then what happens live.

    USAGE
      footfall-sample --endpoint URL --key KEY [options]

    OPTIONS
      --endpoint URL   the Footfall server, as in http://127.0.0.1:4001
      --key KEY        an ingest key of the project (ff_pub_...)
      --people N       how many people take part, 1 to 10000 (200)
      --days N         how many days of history there are, 0 to 3650 (90)
      --seed N         makes other people of the same kind (1)
      --no-history     sends no history
      --no-live        ends after the history
      --data DIR       where the devices keep their unsent events
                       (~/.local/state/footfall-sample or under $XDG_STATE_HOME)
      --quiet          prints problems only
      --help           prints this

    The history is sent once for each DIR, endpoint and seed: a second start goes on live.
    SIGINT and SIGTERM end it gracefully: what is left is sent first. The exit status is 0, or 1 if
    not everything could be delivered, or 2 for a mistake in the command line.
    """

  /// Reads the arguments after the program's name.
  static func parse(_ arguments: [String]) throws(Mistake) -> Request {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return .help
      case "--no-history": options.sendsHistory = false
      case "--no-live": options.goesLive = false
      case "--quiet": options.isQuiet = true
      case "--endpoint": options.endpoint = try value(of: argument, &rest)
      case "--key": options.key = try value(of: argument, &rest)
      case "--data": options.folder = try value(of: argument, &rest)
      case "--people": options.people = try number(argument, 1...10_000, &rest)
      case "--days": options.days = try number(argument, 0...3_650, &rest)
      case "--seed": options.seed = UInt64(try number(argument, 0...Int.max, &rest))
      default:
        throw Mistake(description: "'\(argument)' is no option; --help lists them.")
      }
    }
    try options.check()
    return .run(options)
  }

  private static func value(
    of option: String,
    _ rest: inout ArraySlice<String>
  ) throws(Mistake) -> String {
    guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw Mistake(description: "\(option) needs a value after it.")
    }
    return value
  }

  private static func number(
    _ option: String,
    _ range: ClosedRange<Int>,
    _ rest: inout ArraySlice<String>
  ) throws(Mistake) -> Int {
    let text = try value(of: option, &rest)
    guard let number = Int(text), range.contains(number) else {
      let most = range.upperBound == .max ? "up" : "to \(range.upperBound)"
      throw Mistake(
        description: "\(option) takes a whole number from \(range.lowerBound) \(most), "
          + "not '\(text)'."
      )
    }
    return number
  }

  private func check() throws(Mistake) {
    guard !endpoint.isEmpty else {
      throw Mistake(description: "--endpoint is missing, as in http://127.0.0.1:4001.")
    }
    guard endpoint.hasPrefix("http://") || endpoint.hasPrefix("https://") else {
      throw Mistake(
        description: "--endpoint takes an http or https address, not '\(endpoint)'."
      )
    }
    guard !key.isEmpty else {
      throw Mistake(description: "--key is missing: an ingest key of the project (ff_pub_...).")
    }
    guard sendsHistory || goesLive else {
      throw Mistake(description: "With --no-history and --no-live there is nothing to do.")
    }
  }
}
