/// Which device and user ids Amplitude takes.
enum AmplitudeIDs {
  /// The shortest id, unless the request's `options.min_id_length` says otherwise.
  static let defaultMinLength = 5
  /// The longest id, in bytes: our own bound.
  static let maxBytes = 1024

  /// True for the values by which apps say that they have no id.
  ///
  /// Case does not count. Source: HTTP V2 API, "Device IDs and User IDs".
  static func isRefused(_ id: UnsafeRawBufferPointer) -> Bool {
    // All but the zero UUID are short, and most ids are not: no text is made for those.
    guard id.count <= 9 else { return id.count == 36 && id.elementsEqual(zeroUUID.utf8) }
    return refused.contains(String(decoding: id, as: UTF8.self).lowercased())
  }

  private static let zeroUUID = "00000000-0000-0000-0000-000000000000"

  private static let refused: Set<String> = [
    "", "anonymous", "nil", "none", "null", "n/a", "na", "undefined", "unknown", "{}", "lmy47d",
    "0",
    "-1",
  ]
}
