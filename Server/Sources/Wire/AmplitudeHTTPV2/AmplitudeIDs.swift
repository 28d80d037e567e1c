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
    refused.contains { word in
      guard word.utf8CodeUnitCount == id.count else { return false }
      for (place, byte) in id.enumerated() {
        let small = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
        guard small == word.utf8Start[place] else { return false }
      }
      return true
    }
  }

  /// In small letters.
  private static let refused: [StaticString] = [
    "", "anonymous", "nil", "none", "null", "n/a", "na", "undefined", "unknown", "{}", "lmy47d",
    "0", "-1", "00000000-0000-0000-0000-000000000000",
  ]
}
