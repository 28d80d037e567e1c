/// The limits of the documented protocols.
extension EventLimits {
  /// Those of SimpleDataLogs: its document names only the request's size, 256 KB.
  ///
  /// Source: `simpledatalogs.md` sections 2.1 and 3.5; 13 bytes are the request's own.
  package static let simpleDataLogs: EventLimits = {
    var limits = unlimited
    limits.eventBytes = 262_143 - 13
    return limits
  }()

  /// Those of Amplitude: texts are cut, 40 levels, 1,024 properties.
  ///
  /// Source: `amplitude.md` section 1.5.
  package static let amplitude: EventLimits = {
    var limits = unlimited
    limits.text = TextLimit(1_024, .scalars, .cut)
    limits.properties = 1_024
    limits.depth = 40
    limits.eventBytes = 1_000_000
    return limits
  }()

  /// Those of Phase for an event: whatever is over drops it, since its server refuses a whole batch
  /// for one such event.
  ///
  /// Source: `phase.md` sections 3.1 and 3.2, which also says why UTF-16 and ASCII.
  package static let phase: EventLimits = {
    var limits = unlimited
    limits.name = TextLimit(256, .utf16, .reject)
    limits.nameCharacters = .plainASCII
    limits.key = TextLimit(32, .utf16, .reject)
    limits.text = TextLimit(256, .utf16, .reject)
    limits.properties = 32
    limits.propertiesExcess = .reject
    limits.values = .flat(.reject)
    limits.notFinite = .reject
    limits.propertiesBytes = 8_192
    return limits
  }()

  /// Those of Phase for a device's properties: bad ones are left out.
  ///
  /// Source: `phase.md` section 3.1.
  package static let phaseDevice: EventLimits = {
    var limits = unlimited
    limits.key = TextLimit(128, .utf16, .leaveOut)
    limits.values = .flat(.leaveOut)
    return limits
  }()

  /// Those of Amazon Pinpoint: names and keys of 50, texts of 200, 40 properties.
  ///
  /// Source: `aws.md` section 3.1, column "Ours".
  package static let pinpoint: EventLimits = {
    var limits = unlimited
    limits.name = TextLimit(50, .scalars, .cut)
    limits.key = TextLimit(50, .scalars, .cut)
    limits.text = TextLimit(200, .scalars, .cut)
    limits.properties = 40
    limits.values = .flat(.leaveOut)
    return limits
  }()

  /// No limits but those of one event's size, ids and age.
  private static let unlimited: EventLimits = {
    var limits = EventLimits()
    limits.name = .none
    limits.key = .none
    limits.text = .none
    limits.properties = .max
    limits.depth = 100
    return limits
  }()
}
