import FootfallCore
import Foundation

/// What the body of a 202 says about each event.
///
/// Source: `aws.md` sections 1.2 and 3.2: the status decides, whatever the message.
struct PinpointAnswer {
  private let items: [String: [String: Any]]

  private static let accepted = 202
  private static let refused = 400

  /// What a body says of the events of an endpoint; nil if it says nothing of it.
  init?(_ body: [UInt8], endpoint: String) {
    let results = Self.object(body)["Results"] as? [String: Any] ?? [:]
    // Endpoint ids are the same in whatever case.
    let key = results.keys.first { $0 == endpoint || $0.lowercased() == endpoint.lowercased() }
    let result = key.flatMap { results[$0] as? [String: Any] }
    guard let items = result?["EventsItemResponse"] as? [String: [String: Any]] else { return nil }
    self.items = items
  }

  private static func object(_ body: [UInt8]) -> [String: Any] {
    do {
      return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    } catch {
      // A page of some proxy: it accepts nothing.
      return [:]
    }
  }

  /// What is to be done with events of these ids; one that is not mentioned was not accepted.
  func verdict(_ ids: [String?]) -> UploadVerdict {
    .partial(
      ids.map { id in
        let item = id.flatMap { items[$0] } ?? [:]
        let message = item["Message"] as? String ?? ""
        switch item["StatusCode"] as? Int {
        case Self.accepted: return .delivered(status: Self.accepted)
        case Self.refused:
          return .refused(status: Self.refused, reason: message, message: message)
        case let status: return .again(countsAsTry: true, status: status, message: message)
        }
      }
    )
  }
}
