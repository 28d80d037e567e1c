import Footfall
import SwiftUI

/// A book of songs.
@main struct SongbookApp: App {
  init() {
    let environment = ProcessInfo.processInfo.environment
    guard let endpoint = environment["FOOTFALL_URL"].flatMap({ URL(string: $0) }),
      let key = environment["FOOTFALL_KEY"]
    else { return }
    var configuration = FootfallClient.Configuration(key: key, endpoint: endpoint)
    configuration.isEnabled = UserDefaults.standard.bool(forKey: Consent.key)
    FootfallClient.configure(configuration)
  }

  var body: some Scene {
    WindowGroup {
      NavigationView { SongList() }
    }
  }
}
