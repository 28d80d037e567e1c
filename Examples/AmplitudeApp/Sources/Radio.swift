import FootfallAmplitude
import Foundation

/// Marks what is played after dusk.
final class EveningPlugin: EnrichmentPlugin {
  override func execute(event: BaseEvent) -> BaseEvent? {
    event.eventProperties = (event.eventProperties ?? [:]).merging(["evening": true]) { own, _ in
      own
    }
    return event
  }
}

/// Plays three songs to one listener, and tells of it by the calls of Amplitude's SDK.
@main struct Radio {
  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    guard let server = environment["FOOTFALL_URL"], let key = environment["AMPLITUDE_KEY"] else {
      return print("FOOTFALL_URL and AMPLITUDE_KEY say where to send and by which key.")
    }
    let (results, continuation) = AsyncStream.makeStream(of: String.self)
    let amplitude = Amplitude(
      configuration: Configuration(
        apiKey: key,
        callback: { event, code, message in
          continuation.yield("\(event.eventType): \(code) \(message)")
        },
        baseUrl: server
      )
    )
    amplitude.add(plugin: EveningPlugin())
    amplitude.setUserId(userId: "listener-1")
    amplitude.identify(
      identify: Identify().set(property: "station", value: "North").add(
        property: "visits",
        value: 1
      )
    )
    for title in ["Rain", "Morning", "Harbour"] {
      amplitude.track(eventType: "Song Played", eventProperties: ["title": title, "live": false])
    }
    let revenue = Revenue()
    revenue.productId = "radio.month"
    revenue.price = 2.5
    amplitude.revenue(revenue: revenue)
    amplitude.flush()

    // A session's start, the change of properties, three songs and a purchase.
    var left = 6
    for await line in results {
      print(line)
      left -= 1
      if left == 0 { break }
    }
  }
}
