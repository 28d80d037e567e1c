import FootfallCore

extension AmplitudeAutocapture {
  /// What is captured, as the app chose it.
  init(
    _ chosen: AutocaptureOptions,
    network: NetworkTrackingOptions,
    interactions: InteractionsOptions,
    diagnostics isDiagnosed: Bool
  ) {
    self.init()
    sessions = chosen.contains(.sessions)
    appLifecycles = chosen.contains(.appLifecycles)
    screenViews = chosen.contains(.screenViews)
    elementInteractions = chosen.contains(.elementInteractions)
    frustrationInteractions = [
      "enabled": .boolean(chosen.contains(.frustrationInteractions)),
      "rageClick": ["enabled": .boolean(interactions.rageClick.enabled)],
      "deadClick": ["enabled": .boolean(interactions.deadClick.enabled)],
    ]
    networkTracking = [
      "enabled": .boolean(chosen.contains(.networkTracking)),
      "ignoreHosts": list(network.ignoreHosts),
      "ignoreAmplitudeRequests": .boolean(network.ignoreAmplitudeRequests),
      "captureRules": .array(network.captureRules.map(\.property)),
    ]
    diagnostics["enabled"] = .boolean(isDiagnosed)
  }
}

/// Names as one value.
private func list(_ names: [String]) -> PropertyValue { .array(names.map { .string($0) }) }

// Source of the names: `amplitude.md` section 2.13, `captureRules[]`.
extension NetworkTrackingOptions.CaptureRule {
  fileprivate var property: PropertyValue {
    var rule: Properties = [
      "hosts": list(hosts), "methods": list(methods), "statusCodeRange": .string(statusCodeRange),
    ]
    let exact = urls.compactMap { if case .exact(let url) = $0 { url } else { nil } }
    let regex = urls.compactMap { if case .regex(let pattern) = $0 { pattern } else { nil } }
    if !exact.isEmpty { rule["urls"] = list(exact) }
    if !regex.isEmpty { rule["urlsRegex"] = list(regex) }
    rule["requestHeaders"] = requestHeaders?.property
    rule["responseHeaders"] = responseHeaders?.property
    rule["requestBody"] = requestBody?.property
    rule["responseBody"] = responseBody?.property
    return .object(rule)
  }
}

extension NetworkTrackingOptions.CaptureHeader {
  fileprivate var property: PropertyValue {
    ["allowlist": list(allowlist), "captureSafeHeaders": .boolean(captureSafeHeaders)]
  }
}

extension NetworkTrackingOptions.CaptureBody {
  fileprivate var property: PropertyValue {
    ["allowlist": list(allowlist), "excludelist": list(excludelist)]
  }
}
