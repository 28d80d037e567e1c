import Foundation
// An app that was written for Phase changes this line, and nothing else.
import FootfallPhase

/// A greenhouse that tells how its plants are, by the calls of Phase's SDK.
@main struct Greenhouse {
  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    guard let baseURL = environment["FOOTFALL_URL"], let key = environment["FOOTFALL_KEY"] else {
      print("Set FOOTFALL_URL and FOOTFALL_KEY; the README says which.")
      return
    }
    // Tracked before anything is set up: it waits, and keeps its time.
    track("door_opened")
    do {
      try await PhaseSDK.shared.initialize(apiKey: key, baseURL: baseURL, logLevel: .warn)
    } catch {
      print("Phase: \(error.localizedDescription)")
      return
    }
    await PhaseSDK.shared.identify(["plan": "premium", "beds": 4, "is_heated": true])
    trackScreen("TomatoBedView")
    track("plants_watered", ["litres": 12.5, "bed": "tomatoes"])
    PhaseSDK.shared.track("window_opened", params: ["degrees": 30])
    PhaseSDK.shared.trackScreen("/herbs", params: ["bed_id": "7"])
    await PhaseSDK.shared.flush()
    print("Watered the tomatoes; the dashboard shows it.")
  }
}
