import Dispatch
import Footfall
import Foundation

/// Works through jobs until its input or its time ends.
@main struct Worker {
  static func main() {
    guard let footfall = client() else {
      print("Set FOOTFALL_URL and FOOTFALL_KEY to the address and the key of a server.")
      exit(2)
    }
    let signals = [SIGTERM, SIGINT].map { end(footfall, at: $0) }
    let thread = Thread {
      while let line = readLine() { work(on: line, footfall) }
      end(footfall, "no more jobs")
    }
    thread.start()
    withExtendedLifetime(signals) { dispatchMain() }
  }

  /// One request, for one of many people: the event says whose it is.
  private static func work(on line: String, _ footfall: FootfallClient) {
    let words = line.split(separator: " ").map(String.init)
    guard let user = words.first, words.count == 2 else {
      print("A job is a user and an action, such as 'ada export'.")
      return
    }
    let begin = DispatchTime.now().uptimeNanoseconds
    // The work would be here.
    let spent = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e6
    footfall.track(
      "Job Done",
      ["action": .init(words[1]), "milliseconds": .init(spent)],
      EventOptions(userID: user)
    )
  }

  /// Ends the program in order when the system asks for it.
  private static func end(_ footfall: FootfallClient, at signal: Int32) -> any DispatchSourceSignal
  {
    Foundation.signal(signal, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: signal, queue: .main)
    source.setEventHandler { end(footfall, "signal \(signal)") }
    source.resume()
    return source
  }

  private static func end(_ footfall: FootfallClient, _ reason: String) {
    footfall.shutdown(limitSeconds: 5)
    let diagnostics = footfall.diagnostics
    print("Ended, \(reason): \(diagnostics.delivered) delivered, \(diagnostics.stored) kept.")
    exit(0)
  }

  private static func client() -> FootfallClient? {
    let environment = ProcessInfo.processInfo.environment
    guard let endpoint = environment["FOOTFALL_URL"].flatMap({ URL(string: $0) }),
      let key = environment["FOOTFALL_KEY"]
    else { return nil }
    var configuration = FootfallClient.Configuration(key: key, endpoint: endpoint)
    // A service often has no home folder; its own state folder outlives the process.
    configuration.storage.folder = environment["STATE_DIRECTORY"]
    configuration.log.sink = { line in
      FileHandle.standardError.write(Data("footfall: \(line.text)\n".utf8))
    }
    return FootfallClient(configuration)
  }
}
