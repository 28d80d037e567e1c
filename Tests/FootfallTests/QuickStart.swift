// No import but the readme's: this file compiles only while three lines are all that an app needs.
import Footfall

/// The readme's quick start, with another folder.
func quickStart(key: String, folder: String) -> FootfallClient? {
  guard let server = URL(string: "http://127.0.0.1:9") else { return nil }
  var configuration = FootfallClient.Configuration(key: key, endpoint: server)
  configuration.storage.folder = folder
  let footfall = FootfallClient(configuration)
  footfall.track("Song Played", ["title": "Here Comes the Sun", "duration_s": 185])
  footfall.track("Order Placed", ["total": 42.5], EventOptions(id: "order-1", at: Date()))
  return footfall
}
