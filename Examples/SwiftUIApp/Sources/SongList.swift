import Footfall
import SwiftUI

/// All songs, and the switch for consent.
struct SongList: View {
  private let songs = ["Here Comes the Sun", "Octopus's Garden", "Because"]

  var body: some View {
    List {
      ForEach(songs, id: \.self) { title in
        NavigationLink(destination: { SongPage(title: title) }, label: { Text(title) })
      }
      Consent()
    }
    .navigationTitle("Songs")
    .onAppear { FootfallClient.shared.track(.screenShown, ["screen": "songs"]) }
  }
}
