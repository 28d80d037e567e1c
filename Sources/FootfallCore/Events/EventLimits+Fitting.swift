/// Brings names and properties within limits, for codecs whose limits no encoder checks on its way.
extension EventLimits {
  /// Brings an event's name and properties within the limits.
  ///
  /// Returns the reason if the whole event has to be dropped; what was cut or left out is added to
  /// `losses`. Sizes of what is encoded are not looked at: see `eventBytes` and `propertiesBytes`.
  package func fit(_ event: inout Event, losses: inout DropCounts) -> DropReason? {
    if let reason = fit(&event.name, losses: &losses) { return reason }
    return fit(&event.properties, losses: &losses)
  }

  /// Brings a name within the limits; the reason if its event has to be dropped.
  package func fit(_ name: inout EventName, losses: inout DropCounts) -> DropReason? {
    guard !name.text.isEmpty, hasAllowedCharacters(name.text) else { return .invalid }
    guard !self.name.allows(name.text) else { return nil }
    guard self.name.excess == .cut else { return .invalid }
    name = EventName(self.name.prefix(of: name.text))
    losses.count(.nameCut)
    return nil
  }

  /// Brings properties within the limits; the reason if their event has to be dropped.
  package func fit(_ properties: inout Properties, losses: inout DropCounts) -> DropReason? {
    var fitting = Fitting(limits: self)
    do throws(Fitting.Rejection) {
      properties = try fitting.fit(properties, depth: 1)
    } catch {
      return .invalid
    }
    losses.add(fitting.losses)
    return nil
  }

  /// Whether the ids of an event, its device and its user have possible lengths; one that is missing
  /// has.
  package func allowsIdentifiers(of event: Event) -> Bool {
    if case .own(let id) = event.identifier, !allows(identifier: id) { return false }
    return (event.deviceID.map(allows(identifier:)) ?? true)
      && (event.userID.map(allows(identifier:)) ?? true)
  }

  private func allows(identifier: String) -> Bool {
    let length = identifier.utf8.count
    return length > 0 && length <= identifierBytes
  }

  func hasAllowedCharacters(_ name: String) -> Bool {
    switch nameCharacters {
    case .any: true
    case .plainASCII:
      name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
          UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: " "):
          true
        default: false
        }
      }
    }
  }
}

/// One walk over an event's properties.
private struct Fitting {
  struct Rejection: Error {}

  let limits: EventLimits
  var losses = DropCounts()
  private var propertiesLeft: Int

  init(limits: EventLimits) {
    self.limits = limits
    propertiesLeft = limits.properties
  }

  mutating func fit(_ properties: Properties, depth: Int) throws(Rejection) -> Properties {
    var fitted: [(String, PropertyValue)] = []
    fitted.reserveCapacity(properties.count)
    for (key, value) in properties {
      guard propertiesLeft > 0 else {
        try lose(.propertyOverLimit, limits.propertiesExcess)
        continue
      }
      guard let fittedKey = try fit(key) else { continue }
      // A value that is left out takes no room, as in the encoder.
      guard let fittedValue = try fit(value, depth: depth, takingRoom: true) else { continue }
      fitted.append((fittedKey, fittedValue))
    }
    return Properties(pairs: fitted)
  }

  private mutating func fit(_ key: String) throws(Rejection) -> String? {
    guard !limits.key.allows(key) else { return key }
    guard limits.key.excess == .cut else {
      try lose(.propertyOverLimit, limits.key.excess)
      return nil
    }
    losses.count(.textCut)
    return limits.key.prefix(of: key)
  }

  /// `depth` is the level of the container the value stands in.
  private mutating func fit(
    _ value: PropertyValue,
    depth: Int,
    takingRoom: Bool
  ) throws(Rejection) -> PropertyValue? {
    switch value {
    case .double(let number) where !number.isFinite:
      try lose(.propertyNotFinite, limits.notFinite)
      return nil
    case .array, .object:
      if case .flat(let excess) = limits.values {
        try lose(.propertyTooDeep, excess)
        return nil
      }
      guard depth < limits.depth else {
        losses.count(.propertyTooDeep)
        return nil
      }
    case .string(let text) where !limits.text.allows(text):
      guard limits.text.excess == .cut else {
        try lose(.propertyOverLimit, limits.text.excess)
        return nil
      }
      losses.count(.textCut)
      if takingRoom { propertiesLeft -= 1 }
      return .string(limits.text.prefix(of: text))
    case .string, .integer, .double, .boolean, .null: break
    }
    if takingRoom { propertiesLeft -= 1 }
    switch value {
    case .array(let values):
      var fitted: [PropertyValue] = []
      for value in values {
        if let value = try fit(value, depth: depth + 1, takingRoom: false) { fitted.append(value) }
      }
      return .array(fitted)
    case .object(let properties): return .object(try fit(properties, depth: depth + 1))
    default: return value
    }
  }

  /// Counts a loss, or ends the walk if it is one that the event does not survive.
  private mutating func lose(_ reason: DropReason, _ excess: Excess) throws(Rejection) {
    if excess == .reject { throw Rejection() }
    losses.count(reason)
  }
}
