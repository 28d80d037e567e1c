import Footfall
import SwiftUI

/// Asks whether the app may collect how it is used, and keeps the answer: the library does not.
struct Consent: View {
  static let key = "mayCollect"
  @State private var mayCollect = UserDefaults.standard.bool(forKey: Consent.key)

  var body: some View {
    Toggle("Share how I use this app", isOn: $mayCollect)
      .onChange(of: mayCollect) { answer in
        UserDefaults.standard.set(answer, forKey: Consent.key)
        FootfallClient.shared.setEnabled(answer)
      }
  }
}
