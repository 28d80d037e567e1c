package import FootfallPlatform
import Foundation

/// What a service calls the failure it answers with, and its own words for it.
///
/// The header `x-amzn-ErrorType` says it, or else the body: after the last `#`, before a `:`. Source:
/// `aws.md` sections 1.5 and 1.7.
package struct ServiceErrorName: Sendable, Hashable {
  /// The name, such as `ResourceNotFoundException`; empty if the answer has none.
  package let text: String
  /// The service's words; empty if there are none.
  package let message: String

  /// The failure of an answer; nil of one that is none, and where there is no answer.
  package init?(_ response: UploadResponse) {
    guard case .answered(let status, let headers, let body) = response, status >= 300 else {
      return nil
    }
    let fields = Self.object(body)
    let name = headers["x-amzn-errortype"] ?? fields["__type"] as? String ?? ""
    let last = name.split(separator: "#").last ?? ""
    text = String(last.prefix { $0 != ":" })
    message = fields["message"] as? String ?? fields["Message"] as? String ?? ""
  }

  private static func object(_ body: [UInt8]) -> [String: Any] {
    do {
      return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    } catch {
      // A page of some proxy: it names nothing.
      return [:]
    }
  }
}
