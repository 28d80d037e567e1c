/// Makes ids for devices.
package enum DeviceID {
  /// A random UUID (version 4) in lower case.
  package static func make(using random: inout some RandomNumberGenerator) -> String {
    let high = random.next() & ~0xf000 | 0x4000
    let low = random.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    return EventID(high: high, low: low).description
  }
}
