import Foundation

/// Where events go and whether they travel compressed, and where the rest is asked and told.
///
/// Source: `amplitude.md` sections 1.1 and 1.2, scenarios D19, D20 and D43.
package struct AmplitudeEndpoint: Sendable, Hashable {
  /// A region in which the service keeps its data.
  package enum Zone: String, Sendable, Hashable, CaseIterable {
    /// The United States.
    case us = "api2.amplitude.com"
    /// The European Union.
    case eu = "api.eu.amplitude.com"

    /// The host that is asked for the configuration.
    var configurationHost: String {
      switch self {
      case .us: "sr-client-cfg.amplitude.com"
      case .eu: "sr-client-cfg.eu.amplitude.com"
      }
    }

    /// The host that is told of the library's own work.
    var diagnosticsHost: String {
      switch self {
      case .us: "diagnostics.prod.us-west-2.amplitude.com"
      case .eu: "diagnostics.prod.eu-central-1.amplitude.com"
      }
    }
  }

  /// The address that every request is posted to, exactly as it is.
  package let url: String
  /// Whether bodies are compressed.
  package let isCompressed: Bool
  /// What the address of the question for the configuration begins with.
  package let configurationBase: String
  /// Where the library's own work is told of.
  package let diagnosticsURL: String

  /// The endpoint of a zone, or of one's own server.
  ///
  /// - Parameters:
  ///   - zone: The region; the United States unless told otherwise.
  ///   - usesBatch: Whether the path with the higher limits is used; it changes nothing else.
  ///   - serverURL: A complete address that wins over both, for events alone; empty counts as none.
  ///   - compressesForServerURL: Whether bodies for an address of one's own are compressed. Those for
  ///     the zones always are.
  ///   - base: The address of one's own server, such as `https://events.example.com`, that takes all
  ///     there is in the place of the zones; nil for the zones.
  package init(
    zone: Zone = .us,
    usesBatch: Bool = false,
    serverURL: String? = nil,
    compressesForServerURL: Bool = false,
    base: String? = nil
  ) {
    var base = base
    while base?.hasSuffix("/") == true { base?.removeLast() }
    configurationBase = base ?? "https://" + zone.configurationHost
    diagnosticsURL = (base ?? "https://" + zone.diagnosticsHost) + "/v1/capture"
    if let serverURL, !serverURL.isEmpty {
      url = serverURL
      isCompressed = compressesForServerURL
    } else {
      url = (base ?? "https://" + zone.rawValue) + (usesBatch ? "/batch" : "/2/httpapi")
      isCompressed = base == nil || compressesForServerURL
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
