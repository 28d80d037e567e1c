import FootfallCore
package import FootfallEngine
package import FootfallPlatform

extension SelfReportSettings {
  /// What Amplitude's client tells its maker of its own work: `POST /v1/capture`.
  ///
  /// Nothing unless a server asks for it: of all processes, a part of `sampleRate` reports, and that is
  /// 0 unless the remote configuration says otherwise. Source: `amplitude.md` section 2.14; which
  /// processes those are is drawn anew in each, and what one counted goes with it.
  ///
  /// - Parameters:
  ///   - endpoint: The zone, or the base address of one's own server.
  ///   - key: The project's key.
  ///   - autocapture: What the app chose.
  ///   - device: This library and its system.
  /// - Returns: The settings.
  package static func amplitude(
    endpoint: AmplitudeEndpoint,
    key: String,
    autocapture: AmplitudeAutocapture,
    device: DeviceContext
  ) -> SelfReportSettings {
    let local = autocapture.diagnostics
    let library = device.library.split(separator: "/").last.map(String.init) ?? ""
    let tags = [
      ("sdk.amplitude-swift.version", library), ("autocapture.enabled", autocapture.enabledNames),
      ("os_name", device.platform.lowercased()), ("os_version", device.osVersion ?? ""),
      ("app_version", device.app ?? ""),
    ]
    return SelfReportSettings(
      rules: SelfReportCore.Rules(everySeconds: 300),
      request: { numbers, rate in
        UploadRequest(
          url: endpoint.diagnosticsURL,
          headers: [
            ("Content-Type", "application/json"), ("Accept", "*/*"), ("X-ApiKey", key),
            ("X-Client-Sample-Rate", "\(rate)"),
          ],
          body: numbers.amplitudeBody(tags: tags),
          timeoutSeconds: 60
        )
      },
      choice: { features in
        let setting: PropertyValue = features[.diagnostics] ?? .object(local)
        guard case .object(let chosen) = setting else { return (false, 0) }
        let rate: Double =
          switch chosen["sampleRate"] {
          case .double(let rate): rate
          case .integer(let rate): Double(rate)
          default: 0
          }
        return (chosen["enabled"] == .boolean(true), rate)
      }
    )
  }
}

extension AmplitudeAutocapture {
  /// The names of what is captured, as reports say them; `none` for nothing.
  fileprivate var enabledNames: String {
    let names = [
      sessions ? "sessions" : nil, appLifecycles ? "appLifecycles" : nil,
      screenViews ? "screenViews" : nil, elementInteractions ? "elementInteractions" : nil,
      networkTracking["enabled"] == true ? "networkTracking" : nil,
      frustrationInteractions["enabled"] == true ? "frustrationInteractions" : nil,
    ]
    .compactMap { $0 }
    return names.isEmpty ? "none" : names.joined(separator: ",")
  }
}

extension SelfReportCore.Numbers {
  /// The body of a report; losses by reason stand among the counters, too.
  fileprivate func amplitudeBody(tags: [(name: String, value: String)]) -> [UInt8] {
    var counters: [(String, Int)] = [("sampled.in.and.enabled", 1)]
    if delivered > 0 { counters.append(("analytics.events.sent", delivered)) }
    if dropped.events > 0 { counters.append(("analytics.events.dropped", dropped.events)) }
    for (reason, number) in dropped.byReason.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      counters.append(("analytics.events.dropped.\(reason.rawValue)", number))
    }
    var body = JSONBuffer(capacity: 512)
    body.append("{\"tags\":{")
    for (number, tag) in tags.enumerated() {
      if number > 0 { body.append(UInt8(ascii: ",")) }
      body.append(quoted: tag.name)
      body.append(UInt8(ascii: ":"))
      body.append(quoted: tag.value)
    }
    body.append("},\"counters\":{")
    for (number, (name, value)) in counters.enumerated() {
      if number > 0 { body.append(UInt8(ascii: ",")) }
      body.append(quoted: name)
      body.append(UInt8(ascii: ":"))
      body.append(Int64(value))
    }
    body.append("},\"histogram\":{},\"events\":[]}")
    return body.bytes
  }
}
