import FootfallCore
import FootfallPlatform
import Foundation

/// What the body of a 400 says about the events of its request.
///
/// Read leniently, field by field: what has another shape than documented is as if it were absent.
/// Source: `amplitude.md` sections 1.7 and 1.8.
struct AmplitudeRefusal {
  /// The server's words; empty if there are none.
  let message: String
  /// Places in the request that are refused, with the name of the field that lists them.
  private(set) var reasons: [Int: String] = [:]
  /// Devices whose events are refused.
  private(set) var silencedDevices: Set<String> = []

  /// The beginning of the words by which a server refuses a key; the key follows.
  private static let refusedKey = "Invalid API key"

  /// What the body says; nothing if it is not JSON.
  init(_ body: [UInt8]) {
    let answer = Self.object(body)
    message = answer["error"] as? String ?? ""
    for list in ["events_with_invalid_fields", "events_with_missing_fields"] {
      for (field, places) in answer[list] as? [String: Any] ?? [:] {
        add(places, "\(list):\(field)")
      }
    }
    add(answer["silenced_events"], "silenced_events")
    silencedDevices = Set((answer["silenced_devices"] as? [Any] ?? []).compactMap { $0 as? String })
  }

  private static func object(_ body: [UInt8]) -> [String: Any] {
    do {
      return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    } catch {
      // A page of some proxy: it refuses without a word about any event.
      return [:]
    }
  }

  private mutating func add(_ places: Any?, _ reason: String) {
    for place in (places as? [Any] ?? []).compactMap({ $0 as? Int }) {
      reasons[place] = reasons[place] ?? reason
    }
  }

  /// What is to be done with the request's events, whose devices are given in their order.
  ///
  /// Those that are listed are dropped, the others were only in bad company. A key that is refused
  /// drops all of them; a refusal that lists none of these events counts as a try of each.
  func verdict(status: Int, devices: [String?]) -> UploadVerdict {
    if message.hasPrefix(Self.refusedKey) { return .refused(status: status, message: message) }
    let verdicts = devices.enumerated().map { place, device in
      verdict(status: status, place: place, device: device)
    }
    let isExplained = verdicts.contains { $0 != .again(countsAsTry: false) }
    return isExplained ? .partial(verdicts) : .unexplained(status: status, message: message)
  }

  private func verdict(status: Int, place: Int, device: String?) -> EventVerdict {
    let isSilenced = device.map(silencedDevices.contains) ?? false
    guard let reason = reasons[place] ?? (isSilenced ? "silenced_devices" : nil) else {
      return .again(countsAsTry: false)
    }
    return .refused(status: status, reason: reason, message: message)
  }
}
