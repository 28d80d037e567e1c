import FootfallCore
package import FootfallEngine
package import FootfallPlatform
import Foundation

extension RemoteConfigurationSettings {
  /// What Amplitude's client asks for.
  ///
  /// Source: `amplitude.md` section 2.13; what is of other products is left to them.
  private static let amplitudeKeys = ["analyticsSDK.iosSDK", "diagnostics.iosSDK"]

  /// Amplitude's own question: `GET /config/<key>`.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether anything is asked at all: `enableAutoCaptureRemoteConfig`.
  ///   - endpoint: The zone, or the base address of one's own server.
  ///   - key: The project's key.
  ///   - bundleID: The app's name for itself; nil where it has none.
  ///   - autocapture: What the app chose.
  ///   - device: This library and its system.
  /// - Returns: The settings.
  package static func amplitude(
    isEnabled: Bool = true,
    endpoint: AmplitudeEndpoint,
    key: String,
    bundleID: String? = nil,
    autocapture: AmplitudeAutocapture = AmplitudeAutocapture(),
    device: DeviceContext
  ) -> RemoteConfigurationSettings {
    var headers: [(name: String, value: String)] = [
      ("Content-Type", "application/json"), ("Accept", "*/*"), ("X-Client-Version", "2"),
      ("X-Client-Library", device.library), ("X-Client-Platform", device.platform.lowercased()),
    ]
    if let bundleID { headers.append(("X-Client-Bundle-Id", bundleID)) }
    var settings = RemoteConfigurationSettings(
      rules: RemoteConfigurationRules(isEnabled: isEnabled),
      url: endpoint.configurationURL(key: key, keys: amplitudeKeys),
      headers: headers
    )
    settings.member = "configs"
    settings.features = autocapture.features
    return settings
  }
}

extension AmplitudeEndpoint {
  /// The characters of a key that stand in a path as they are.
  private static let plain = CharacterSet(charactersIn: "-._~").union(.alphanumerics)

  /// The address of the question for the configuration.
  func configurationURL(key: String, keys: [String]) -> String {
    let key = key.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? ""
    let query = keys.map { "config_keys=\($0)" }.joined(separator: "&")
    return "\(configurationBase)/config/\(key)?\(query)"
  }
}
