import Dispatch
import FootfallSystem
import Foundation
import HTTPServing
import Ingest
import IngestLog
import ServerApp

/// The options that `serve` and `demo` share, and how a server runs until it is told to stop.
enum Serving {
  static let options: Set<String> = [
    "data", "host", "port", "share", "public-url", "max-put-events", "operators", "log-format",
    "country-db", "trusted-proxies", "keep-log", "connections", "connections-per-address",
  ]
  static let switches: Set<String> = ["keep-addresses", "access-log", "allow-private-webhooks"]

  static func usage(folder: String) -> String {
    """
      --data DIR          the data folder (default ./\(folder)); made where it is missing
      --host ADDRESS      the address to listen on (default 127.0.0.1)
      --port N            the port (default 4001; 0 lets the system choose)
      --share DIR         the folder with libduckdb, htmx and ECharts
                          (default: $FOOTFALL_SHARE, else share/footfall near this program)
      --public-url URL    the address people and apps reach this server by, if a proxy stands in front
      --trusted-proxies RANGES  whose X-Forwarded-For is believed: addresses or ranges with commas between
                          (default: none; this machine where --public-url is given)
      --country-db FILE   tell country, region and city of people's addresses by this file in MaxMind's
                          format (.mmdb), such as GeoLite2-City or DB-IP City Lite; replaced while
                          running, it is read again. The addresses themselves are not kept
      --connections N     connections at once (default 4096)
      --connections-per-address N  of them from one address, or one /64 network of IPv6 (default 256); more
                          are closed. Trusted proxies and this machine (127.0.0.1, ::1) have no such limit
      --operators RANGES  who may read /metrics and the reasons in /readyz: addresses or ranges such as
                          10.0.0.0/8 with commas between, or “any” (default: this machine)
      --access-log        print a line for each request that is no upload
      --log-format FORMAT text (default) or json: one object a line, for what is printed while running
      --keep-addresses    keep the network address that an Amplitude client asks to be recorded
      --keep-log HOURS    how long the ingest log keeps what the store has (default 24): for that long a
                          stream's records can be read back, and the store be made anew
      --allow-private-webhooks  let alerts be told to addresses of this machine and of private networks
      --max-put-events N  PutEvents requests a second that one Pinpoint application may send (default
                          0: any number); over it clients are told to wait
    """
  }

  /// What the command line asks for; `folder` is where nothing says where to keep data.
  static func settings(
    _ arguments: Arguments,
    folder: String = "data"
  ) throws(UsageError) -> ServerSettings {
    var settings = ServerSettings(data: DataFolder(path: arguments.options["data"] ?? folder))
    settings.host = arguments.options["host"] ?? settings.host
    settings.port = UInt16(
      try arguments.integer("port", in: 0...65_535, default: Int(settings.port))
    )
    settings.share = ShareFolder.find(
      flag: arguments.options["share"],
      environment: ProcessInfo.processInfo.environment,
      executable: executable,
      exists: { FileManager.default.fileExists(atPath: $0) }
    )
    if let text = arguments.options["public-url"] {
      settings.publicURL = try SiteAddress.checked(text, of: "public-url")
    }
    settings.ingest.maxPutEventsPerSecond = try arguments.integer(
      "max-put-events",
      in: 0...1_000_000,
      default: settings.ingest.maxPutEventsPerSecond
    )
    settings.limits.connections = try arguments.integer(
      "connections",
      in: 16...1_000_000,
      default: settings.limits.connections
    )
    settings.limits.connectionsPerAddress = try arguments.integer(
      "connections-per-address",
      in: 1...1_000_000,
      default: settings.limits.connectionsPerAddress
    )
    let kept = settings.log.retention.keepsLoadedSeconds / 3_600
    settings.log.retention.keepsLoadedSeconds =
      3_600 * (try arguments.integer("keep-log", in: 0...8_784, default: kept))
    if let text = arguments.options["operators"] {
      settings.operators = text == "any" ? nil : try ranges(text, of: "operators")
    }
    if let text = arguments.options["trusted-proxies"] {
      settings.limits.trustedProxies = try ranges(text, of: "trusted-proxies")
    }
    settings.places = arguments.options["country-db"]
    settings.allowsPrivateWebhooks = arguments.switches.contains("allow-private-webhooks")
    settings.ingest.keepsAddresses = arguments.switches.contains("keep-addresses")
    return settings
  }

  private static func ranges(
    _ text: String,
    of option: String
  ) throws(UsageError) -> [AddressRange] {
    var ranges: [AddressRange] = []
    for part in text.split(separator: ",") {
      guard let range = AddressRange(part.trimmingCharacters(in: .whitespaces)) else {
        throw UsageError("--\(option) takes addresses or ranges like 10.0.0.0/8, not “\(part)”.")
      }
      ranges.append(range)
    }
    return ranges
  }

  /// Makes the log of a server from `--access-log` and `--log-format`.
  static func log(_ arguments: Arguments, _ terminal: Terminal) throws(UsageError) -> ServerLog {
    let format = try arguments.choice("log-format", of: ["text", "json"], default: "text")
    return ServerLog(
      isJSON: format == "json",
      hasRequests: arguments.switches.contains("access-log"),
      terminal: terminal
    )
  }

  /// The absolute path of the running program.
  static var executable: String {
    Bundle.main.executablePath ?? CommandLine.arguments[0]
  }

  /// Prints what an operator should know while the server runs.
  static func problemLog(_ terminal: Terminal) -> @Sendable (String) -> Void {
    { terminal.error("Warning: \($0)") }
  }

  /// Prints where the server is and, on its first start, what to do next.
  static func announce(
    _ server: Server,
    _ settings: ServerSettings,
    log: ServerLog,
    terminal: Terminal
  ) {
    terminal.out("Footfall \(Versions.program) listens on \(server.address)")
    if let first = server.firstStart {
      terminal.out(
        "Project “\(first.projectName)” is ready. Its apps send with the key\n  \(first.key)"
      )
      terminal.out("Sign in once at\n  \(first.signInAddress)")
    } else {
      terminal.out("Sign in at \(server.address)/, or make a link that signs you in with")
      terminal.out("  \(CommandLine.arguments[0]) sign-in --data \(settings.data.path)")
    }
    do {
      try settings.data.note(address: server.address)
    } catch {
      log.warn("footfall sign-in will not know this address. \(error)")
    }
    for warning in server.warnings { log.warn(warning) }
  }
}

/// Waits for the first signal that asks the program to end; a second SIGTERM or SIGINT ends it at once.
///
/// A terminal that goes away tells so by SIGHUP, often twice: by itself and by its shell.
/// The handlers run on a dispatch queue, not in signal context. One for the life of the process.
final class StopSignal: Sendable {
  private let asked = DispatchSemaphore(value: 0)
  private let sources = Lock<[any DispatchSourceSignal]>([])

  /// The signals that ask this process to end.
  let numbers: [Int32]

  /// Takes over SIGTERM, SIGINT and SIGHUP of this process, and ignores SIGPIPE.
  ///
  /// SIGHUP stays ignored where whoever started the program ignores it, as `nohup` does. Blocks until the
  /// system watches all of them, for a moment: none that comes later is lost.
  init() {
    signal(SIGPIPE, SIG_IGN)
    let isIgnored =
      unsafeBitCast(signal(SIGHUP, SIG_IGN), to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
    numbers = isIgnored ? [SIGTERM, SIGINT] : [SIGTERM, SIGINT, SIGHUP]
    let queue = DispatchQueue(label: "footfall.signals")
    let watching = DispatchGroup()
    for number in numbers {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      let count = Lock(0)
      source.setEventHandler { [asked] in
        let isSecond = count.withLock { count in
          count += 1
          return count > 1
        }
        if isSecond && number != SIGHUP { _exit(130) }
        asked.signal()
      }
      watching.enter()
      source.setRegistrationHandler { watching.leave() }
      source.resume()
      sources.withLock { $0.append(source) }
    }
    watching.wait()
  }

  /// Blocks until a signal came.
  func wait() {
    asked.wait()
  }
}
