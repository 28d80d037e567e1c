/// Which of Amplitude's shapes an event has.
enum AmplitudeDialect {
  /// That of `/2/httpapi` and `/batch`.
  case current
  /// That of the form upload: other names for some fields.
  ///
  /// Its clients cannot leave out what is wrong and would send it for ever, so a bad event is counted
  /// and the others are taken.
  case legacy
  /// That of `/identify`: properties of a person, without an event.
  case identify
  /// That of `/groupidentify`: properties of a group, without an event.
  case groupIdentify
  /// That of `/attribution`: an event of a device that may have no id but one that others gave it.
  case attribution
}

extension AmplitudeField {
  /// The field that a key without escapes names in a dialect.
  @inline(__always)
  init(_ key: JSONString, in dialect: AmplitudeDialect) {
    self.init(key)
    if dialect != .current { self = variant(key, in: dialect) }
  }

  /// Of these the one that stands first is the device's id where an attribution has no other: clients on
  /// Apple's systems use the vendor's id as the device's.
  static let foreignIDs: [StaticString] = [
    "idfv", "idfa", "adid", "android_id", "android_app_set_id",
  ]

  private func variant(_ key: JSONString, in dialect: AmplitudeDialect) -> AmplitudeField {
    switch (dialect, self) {
    case (.legacy, .eventID): return .localEventID
    case (.legacy, .other):
      if key.isRaw("timestamp") { return .time }
      if key.isRaw("uuid") { return .insertID }
      return key.isRaw("sequence_number") ? .eventID : .other
    case (.groupIdentify, .other):
      if key.isRaw("group_type") { return .groupType }
      return key.isRaw("group_value") ? .groupValue : .other
    case (.attribution, .other):
      return AmplitudeField.foreignIDs.contains(where: key.isRaw) ? .foreignID : .other
    default: return self
    }
  }
}
