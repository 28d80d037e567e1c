import Footfall
import SwiftUI

/// One song.
struct SongPage: View {
  let title: String

  var body: some View {
    Button("Play") {
      FootfallClient.shared.track("Song Played", ["title": .init(title)])
    }
    .navigationTitle(title)
    .onAppear { FootfallClient.shared.track(.screenShown, ["screen": "song"]) }
  }
}

extension EventName {
  /// A screen came up.
  static let screenShown: EventName = "Screen Shown"
}
