import Foundation
// An app that was written for SimpleDataLogs changes this line, and nothing else.
import FootfallSimpleDataLogs

/// A bakery that tells what it bakes, by the calls of SimpleDataLogs' SDK.
@main struct Bakery {
  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    guard let endpoint = environment["FOOTFALL_URL"].flatMap({ URL(string: $0) }),
      let key = environment["FOOTFALL_KEY"]
    else {
      print("Set FOOTFALL_URL and FOOTFALL_KEY; the README says which.")
      return
    }
    SimpleDataLogs.setEnabled(environment["DO_NOT_TRACK"] != "1")
    SimpleDataLogs.setDeviceID("oven-1")
    SimpleDataLogs.setDefaultProperties(["app_version": "1.1.0", "distribution": "website"])
    SimpleDataLogs.configure(
      ingestKey: key,
      endpoint: endpoint,
      autocapture: [.appLaunches, .sessions],
      sessionMode: .inactivityTimeout(minutes: 30)
    )
    // What was baked before anyone was asked, at its own time, counted once however often it is sent.
    for loaf in yesterday() {
      SimpleDataLogs.track(
        "bread_baked",
        properties: ["kind": .string(loaf.kind)],
        at: loaf.bakedAt,
        eventID: loaf.id
      )
    }
    SimpleDataLogs.trackScreen("Counter")
    for (kind, grams) in [("rye", 750), ("wheat", 500)] {
      SimpleDataLogs.track(
        "bread_sold",
        properties: ["kind": .string(kind), "grams": .integer(grams), "is_sliced": false]
      )
    }
    await SimpleDataLogs.flush()
    print("Sold two loaves; the dashboard shows them.")
  }

  private static func yesterday() -> [(kind: String, bakedAt: Date, id: UUID)] {
    guard let id = UUID(uuidString: "0F0B7C9E-5A1D-4C2E-9D3F-00000000BEAD") else { return [] }
    return [(kind: "spelt", bakedAt: Date(timeIntervalSinceNow: -86_400), id: id)]
  }
}
