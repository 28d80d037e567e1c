package import FootfallCore
import Foundation

/// What the body of a positive answer says of the events of a request.
///
/// Other protocols that name what they refused in the same words read it by this, too. Source:
/// `architecture.md`, section 5; `simpledatalogs.md` section 2.3.
package struct NativeAnswer {
  private struct Body: Decodable {
    let rejected: [Rejection]?
  }

  private struct Rejection: Decodable {
    let index: Int?
    let id: String?
    let event_id: String?
    let reason: String?
  }

  private let rejected: [Rejection]

  /// Reads a whole body; nil if it is not what the protocol says.
  package init?(_ body: [UInt8]) {
    guard !Self.refusesNothing(body) else {
      rejected = []
      return
    }
    do { rejected = try JSONDecoder().decode(Body.self, from: Data(body)).rejected ?? [] } catch {
      // A page of some proxy, or a part of an answer.
      return nil
    }
  }

  /// Most answers refuse nothing; those need no JSON reader.
  private static func refusesNothing(_ body: [UInt8]) -> Bool {
    let empty = Array("\"rejected\":[]".utf8)
    guard body.first == UInt8(ascii: "{"), body.last == UInt8(ascii: "}"),
      body.count >= empty.count
    else { return false }
    return (0...body.count - empty.count).contains { body[$0...].starts(with: empty) }
  }

  /// What is to be done with the events of a request.
  ///
  /// A refusal names its event by the place in the request, or else by its id; one that names none
  /// of them refuses nothing.
  package func verdict(
    status: Int,
    of batch: BatchContent,
    identity: (ArraySlice<UInt8>) -> (id: String, name: String)?
  ) -> UploadVerdict {
    guard !rejected.isEmpty else { return .delivered(status: status) }
    var verdicts = [EventVerdict](repeating: .delivered(status: status), count: batch.count)
    lazy var places = Dictionary(
      batch.eachEvent.enumerated().compactMap { place, event in
        identity(event).map { ($0.id, place) }
      },
      uniquingKeysWith: { first, _ in first }
    )
    for rejection in rejected {
      let named = (rejection.id ?? rejection.event_id).flatMap { id in
        rejection.index == nil ? places[id] : nil
      }
      guard let place = rejection.index ?? named, verdicts.indices.contains(place) else { continue }
      let reason = rejection.reason ?? "unknown"
      verdicts[place] = .refused(status: status, reason: reason, message: reason)
    }
    return .partial(verdicts)
  }
}
