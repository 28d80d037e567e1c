import FootfallCore
import FootfallPlatform
import Foundation

// Between what is kept of the endpoint and what an app sees of it.
extension AWSPinpointEndpointProfile {
  /// What an app sees of an endpoint.
  convenience init(
    _ endpoint: PinpointEndpoint,
    appID: String,
    endpointID: String,
    device: EventContext,
    now: Date
  ) {
    self.init(applicationId: appID, endpointId: endpointID)
    effectiveDate = UInt64(clamping: Timestamp.milliseconds(of: now))
    channelType = endpoint.channelType ?? channelType
    address = endpoint.address
    optOut = endpoint.isOptedOut.map { $0 ? "ALL" : "NONE" }
    for (key, values) in endpoint.attributes { addAttribute(values, forKey: key) }
    for (key, value) in endpoint.metrics { addMetric(NSNumber(value: value), forKey: key) }
    if !endpoint.location.isEmpty {
      location = AWSPinpointEndpointProfileLocation(endpoint.location)
    }
    demographic = AWSPinpointEndpointProfileDemographic(device, endpoint.demographic)
    guard endpoint.userID != nil || !endpoint.userAttributes.isEmpty else { return }
    let user = AWSPinpointEndpointProfileUser()
    user.userId = endpoint.userID
    user.setUserAttributes(endpoint.userAttributes)
    self.user = user
  }

  /// What the profile says, to be put in the place of what is kept.
  ///
  /// A value by itself: what the app's own values say of themselves is asked here, once.
  func said(device: EventContext) -> SaidEndpoint {
    // What the device tells itself is not kept: it may change.
    let own = AWSPinpointEndpointProfileDemographic(device, [:]).fields
    return SaidEndpoint(
      address: address,
      channelType: address == nil ? nil : channelType,
      isOptedOut: optOut.map { $0 == "ALL" },
      userID: user?.userId,
      userAttributes: user?.allUserAttributes() ?? [:],
      location: location?.fields ?? [:],
      demographic: (demographic?.fields ?? own).filter { own[$0.key] != $0.value },
      attributes: allAttributes().mapValues { $0.map { "\($0)" } },
      metrics: allMetrics().mapValues(\.doubleValue)
    )
  }
}

/// What an app says of the whole endpoint.
struct SaidEndpoint {
  var address: String?
  var channelType: String?
  var isOptedOut: Bool?
  var userID: String?
  var userAttributes: [String: [String]]
  var location: [String: PropertyValue]
  var demographic: [String: String]
  var attributes: [String: [String]]
  var metrics: [String: Double]

  /// Whether a number in it is none: that one is not taken, and the rest is.
  var hasOddNumber: Bool {
    let coordinates = location.values.compactMap { value in
      if case .double(let number) = value { number } else { nil }
    }
    return (metrics.values + coordinates).contains { !$0.isFinite }
  }

  /// Puts all of it in the place of what is kept.
  func replace(_ endpoint: inout PinpointEndpoint) {
    endpoint.address = address
    endpoint.channelType = channelType
    endpoint.isOptedOut = isOptedOut
    endpoint.userID = userID
    endpoint.userAttributes = userAttributes
    endpoint.location = location
    endpoint.demographic = demographic
    for key in endpoint.attributes.keys where attributes[key] == nil {
      endpoint.setAttribute(nil, for: key)
    }
    for key in endpoint.metrics.keys where metrics[key] == nil {
      endpoint.setMetric(nil, for: key)
    }
    for (key, values) in attributes.sorted(by: { $0.key < $1.key }) {
      endpoint.setAttribute(values, for: key)
    }
    for (key, value) in metrics.sorted(by: { $0.key < $1.key }) {
      endpoint.setMetric(value, for: key)
    }
  }
}

extension AWSPinpointEndpointProfileLocation {
  convenience init(_ fields: [String: PropertyValue]) {
    self.init()
    func number(_ key: String) -> NSNumber? {
      if case .double(let number)? = fields[key] { NSNumber(value: number) } else { nil }
    }
    func text(_ key: String) -> String? {
      if case .string(let text)? = fields[key] { text } else { nil }
    }
    (latitude, longitude) = (number("Latitude"), number("Longitude"))
    (postalCode, city) = (text("PostalCode"), text("City"))
    (region, country) = (text("Region"), text("Country"))
  }

  /// What is known, by the service's names.
  var fields: [String: PropertyValue] {
    var fields: [String: PropertyValue] = [:]
    fields["Latitude"] = latitude.map { .double($0.doubleValue) }
    fields["Longitude"] = longitude.map { .double($0.doubleValue) }
    fields["PostalCode"] = postalCode.map { .string($0) }
    fields["City"] = city.map { .string($0) }
    fields["Region"] = region.map { .string($0) }
    fields["Country"] = country.map { .string($0) }
    return fields
  }
}

extension AWSPinpointEndpointProfileDemographic {
  /// What this device tells of itself.
  static var current: AWSPinpointEndpointProfileDemographic {
    AWSPinpointEndpointProfileDemographic(DeviceContext.current.eventContext, [:])
  }

  /// What a device tells, with what the app says in its place.
  convenience init(_ device: EventContext, _ own: [String: String]) {
    self.init()
    let told = PinpointEndpoint.demographic(device)
    func text(_ key: String) -> String? {
      if let text = own[key] { return text }
      if case .string(let text)? = told[key] { return text }
      return nil
    }
    (model, timezone, locale) = (text("Model"), text("Timezone"), text("Locale"))
    (appVersion, platform) = (text("AppVersion"), text("Platform"))
    platformVersion = text("PlatformVersion")
  }

  /// What is known, by the service's names.
  var fields: [String: String] {
    let all = [
      "Model": model, "Timezone": timezone, "Locale": locale, "AppVersion": appVersion,
      "Platform": platform, "PlatformVersion": platformVersion,
    ]
    return all.compactMapValues(\.self)
  }
}
