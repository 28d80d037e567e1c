import EventRecord

/// Whether the texts of an event are UTF-8, as the store demands.
enum UTF8Check {
  /// True when every text of the event is valid.
  static func isValid(_ event: EventView) -> Bool {
    isValid(event.id) && isValid(event.name) && isValid(event.deviceID) && isValid(event.userID)
      && isValid(event.sessionID) && isValid(event.properties) && isValid(event.groups)
      && isValid(event.operations) && isValid(event.context)
  }

  /// True when the bytes are valid UTF-8; almost all are ASCII and are looked at eight at a time.
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if index + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      } else if bytes[index] < 0x80 {
        index += 1
      } else {
        let length = lengthOfCharacter(bytes, at: index)
        guard length > 0 else { return false }
        index += length
      }
    }
    return true
  }

  /// How many bytes the character takes, 0 when it is none.
  ///
  /// Source: Unicode, table 3-7.
  private static func lengthOfCharacter(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let (length, second): (Int, ClosedRange<UInt8>)
    switch bytes[index] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]),
      bytes[(index + 2)..<(index + max(2, length))].allSatisfy({ (0x80...0xBF).contains($0) })
    else { return 0 }
    return length
  }
}
