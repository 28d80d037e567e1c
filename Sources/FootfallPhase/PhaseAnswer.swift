import FootfallCore
import Foundation

/// What the body of an answer says about the items of a batch.
///
/// Source: `phase.md` sections 5.7 and 6.5.
struct PhaseAnswer {
  private struct Refusal {
    let code: String
    let detail: String
  }

  /// Items that were taken, by their number.
  private var taken: Set<Int> = []
  /// Items that were not.
  private var refused: [Int: Refusal] = [:]

  /// The number by which an error speaks of the whole batch.
  private static let wholeBatch = -1

  /// Codes that an item can never get over; every other may pass.
  private static let permanent: Set<String> = [
    "VALIDATION_ERROR", "BAD_REQUEST", "FORBIDDEN", "CONFLICT", "METHOD_NOT_ALLOWED",
  ]

  /// What a body says; nil if it is no answer to a batch.
  init?(_ body: [UInt8]) {
    guard let answer = Self.object(body) else { return nil }
    let results = answer["results"] as? [[String: Any]]
    let errors = answer["errors"] as? [[String: Any]]
    guard results != nil || errors != nil else { return nil }
    for result in results ?? [] {
      if let order = result["clientOrder"] as? Int { taken.insert(order) }
    }
    for error in errors ?? [] {
      guard let order = error["clientOrder"] as? Int else { continue }
      refused[order] = Refusal(
        code: error["code"] as? String ?? "",
        detail: error["detail"] as? String ?? ""
      )
    }
  }

  private static func object(_ body: [UInt8]) -> [String: Any]? {
    do {
      return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    } catch {
      // A page of some proxy: it says nothing about items.
      return nil
    }
  }

  /// What is to be done with the batch's items; nil if the status alone decides.
  func verdict(status: Int, count: Int) -> UploadVerdict? {
    switch status {
    case 200, 207, 400: return .partial((0..<count).map { verdict(status: status, item: $0) })
    case 403:
      return refused[Self.wholeBatch].map { .refused(status: status, message: $0.detail) }
    default: return nil
    }
  }

  /// An item that is mentioned nowhere is sent again, as one that failed for now.
  private func verdict(status: Int, item: Int) -> EventVerdict {
    if taken.contains(item) { return .delivered(status: status) }
    guard let refusal = refused[item] else { return .again(countsAsTry: true) }
    let (code, detail) = (refusal.code, refusal.detail)
    guard Self.permanent.contains(code) else {
      return .again(countsAsTry: true, status: status, message: detail)
    }
    return .refused(status: status, reason: code, message: detail)
  }
}
