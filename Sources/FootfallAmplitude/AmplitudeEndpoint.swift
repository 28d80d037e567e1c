import Foundation

/// Where events go and whether they travel compressed.
///
/// Source: `amplitude.md` sections 1.1 and 1.2, scenarios D19, D20 and D43.
package struct AmplitudeEndpoint: Sendable, Hashable {
  /// A region in which the service keeps its data.
  package enum Zone: String, Sendable, Hashable, CaseIterable {
    /// The United States.
    case us = "api2.amplitude.com"
    /// The European Union.
    case eu = "api.eu.amplitude.com"
  }

  /// The address that every request is posted to, exactly as it is.
  package let url: String
  /// Whether bodies are compressed.
  package let isCompressed: Bool

  /// The endpoint of a zone, or of one's own server.
  ///
  /// - Parameters:
  ///   - zone: The region; the United States unless told otherwise.
  ///   - usesBatch: Whether the path with the higher limits is used; it changes nothing else.
  ///   - serverURL: A complete address that wins over both; empty counts as none.
  ///   - compressesForServerURL: Whether bodies for an address of one's own are compressed. Those for
  ///     the zones always are.
  package init(
    zone: Zone = .us,
    usesBatch: Bool = false,
    serverURL: String? = nil,
    compressesForServerURL: Bool = false
  ) {
    if let serverURL, !serverURL.isEmpty {
      url = serverURL
      isCompressed = compressesForServerURL
    } else {
      url = "https://" + zone.rawValue + (usesBatch ? "/batch" : "/2/httpapi")
      isCompressed = true
    }
  }
}

extension AmplitudeEndpoint {
  /// Whether the address names a host to ask.
  var isAddress: Bool {
    guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty else {
      return false
    }
    return ["http", "https"].contains(parts.scheme?.lowercased())
  }
}
