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
}

extension AmplitudeField {
  /// The field that a key without escapes names in a dialect.
  @inline(__always)
  init(_ key: JSONString, in dialect: AmplitudeDialect) {
    self.init(key)
    if dialect != .current { self = variant(key, in: dialect) }
  }

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
    default: return self
    }
  }
}
