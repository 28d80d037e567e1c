/// Where a webhook is: an address of http or https in its plain form.
///
/// What browsers and libraries read in different ways (user names, backslashes, blanks) is none.
public struct WebhookAddress: Sendable, Hashable {
  /// The whole address.
  public let text: String
  /// The host, without the brackets of an IPv6 address.
  public let host: String
  /// The port.
  public let port: UInt16

  /// Reads an address; nil for anything else.
  public init?(_ text: String) {
    let schemes = [("https://", UInt16(443)), ("http://", UInt16(80))]
    guard let (scheme, standardPort) = schemes.first(where: { text.hasPrefix($0.0) }),
      text.utf8.count <= 2_000, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#".contains($0) }
    guard !rest.contains("\\"), !rest.contains("#") else { return nil }
    let host: Substring
    let portText: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<end]
      portText = authority[authority.index(after: end)...]
      guard !host.isEmpty,
        host.utf8.allSatisfy({ Self.isHexadecimal($0) || $0 == 0x3a || $0 == 0x2e })
      else { return nil }
    } else {
      host = authority.prefix { $0 != ":" }
      portText = authority[host.endIndex...]
      guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(Self.isOfName) else {
        return nil
      }
    }
    self.text = text
    self.host = String(host)
    guard !portText.isEmpty else {
      port = standardPort
      return
    }
    guard portText.hasPrefix(":"),
      portText.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = UInt16(portText.dropFirst()), number > 0
    else { return nil }
    port = number
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }
}
