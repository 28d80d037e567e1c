import Footfall
import Foundation

/// Counts lines and words of its input.
@main struct Tally {
  static func main() {
    let footfall = client()
    footfall?.track("Tally Started", ["arguments": .init(CommandLine.arguments.count - 1)])
    var lines = 0
    var words = 0
    while let line = readLine() {
      lines += 1
      words += line.split(whereSeparator: \.isWhitespace).count
    }
    print("\(lines) lines, \(words) words")
    footfall?.track("Tally Finished", ["lines": .init(lines), "words": .init(words)])
    // A program that ends without this leaves its events on disk until it is run again.
    footfall?.shutdown(limitSeconds: 1)
  }

  /// A client, unless the person does not want one or there is no server.
  private static func client() -> FootfallClient? {
    let environment = ProcessInfo.processInfo.environment
    guard environment["DO_NOT_TRACK"] != "1",
      let endpoint = environment["FOOTFALL_URL"].flatMap({ URL(string: $0) }),
      let key = environment["FOOTFALL_KEY"]
    else { return nil }
    return FootfallClient(key: key, endpoint: endpoint)
  }
}
