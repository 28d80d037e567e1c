import FootfallCore

/// The names that context fields have on this wire.
///
/// Source: `amplitude.md` section 1.4.
enum AmplitudeContextFields {
  /// The app's own version is `version_name`; `app_version` is one that an event states (T18).
  private static let names: [(field: ContextField, name: String)] = [
    (.library, "library"), (.platform, "platform"), (.osName, "os_name"),
    (.osVersion, "os_version"), (.brand, "device_brand"), (.manufacturer, "device_manufacturer"),
    (.model, "device_model"), (.carrier, "carrier"), (.appVersion, "version_name"),
    (.language, "language"), (.country, "country"), (.region, "region"), (.city, "city"),
    (.marketArea, "dma"), (.latitude, "location_lat"), (.longitude, "location_lng"), (.ip, "ip"),
    (.vendorID, "idfv"), (.advertisingID, "idfa"),
  ]

  /// Fields that this protocol has no place for, the one that is nobody's but the app's, and the one
  /// that is written among the event's own.
  private static let unsent: Set<ContextField> = [
    .os, .build, .timeZone, .locale, .extra, .eventNumber,
  ]

  private static let fields = Dictionary(
    uniqueKeysWithValues: names.map { ($0.name, $0.field) }
  )

  /// The field that a member of an event is about; one that only this protocol has keeps its name.
  static func field(_ name: String) -> ContextField { fields[name] ?? ContextField(rawValue: name) }

  private static let listed = unsent.union(names.map(\.field))

  /// The members of an event that say what its context says, in an order that does not change.
  ///
  /// A field that only this protocol has, such as `productId`, keeps its name.
  static func members(_ context: EventContext) -> Properties {
    var pairs: [(String, PropertyValue)] = []
    for (field, name) in names { if let value = context[field] { pairs.append((name, value)) } }
    let others = context.values.filter { !listed.contains($0.key) }
    pairs += others.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
    return Properties(pairs: pairs)
  }
}

extension ContextField {
  /// An event's number as the app gave it, which is sent in the place of the client's own.
  ///
  /// Source: `amplitude.md` section 2.7.
  static let eventNumber = ContextField(rawValue: "event_id")
}
