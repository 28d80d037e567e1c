/// The text of a network interface's hardware address.
package enum HardwareAddress {
  /// What the system shows to apps that may not know the address.
  ///
  /// Source: `amplitude.md`, P24.
  private static let placeholder: [UInt8] = [2, 0, 0, 0, 0, 0]

  /// Six bytes as in `a4:83:e7:01:02:03`; nil for anything else, zeros and the placeholder.
  package static func text(_ bytes: [UInt8]) -> String? {
    guard bytes.count == 6, bytes != placeholder, bytes.contains(where: { $0 != 0 }) else {
      return nil
    }
    let pairs = bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }
    return pairs.joined(separator: ":")
  }
}
