/// What one unit of some currencies is worth in a project's own.
///
/// A rate is kept as it was written, and is the same for all times: amounts that were converted do not change
/// unless the owner changes it.
public struct ExchangeRates: Sendable, Hashable, CustomStringConvertible {
  /// The most currencies that have one.
  public static let maxCount = 50

  /// The rates as decimal numbers, such as `1.10`, by the code of their currency.
  public var texts: [String: String]

  /// Rates by the codes of their currencies.
  public init(_ texts: [String: String] = [:]) {
    self.texts = texts
  }

  /// Rates as a person writes them: `EUR 1.10, GBP 1.27`.
  ///
  /// - Throws: `invalid` for anything else, with what was read.
  public init(written text: String) throws(CatalogError) {
    texts = [:]
    for part in text.split(whereSeparator: { ",;\n".contains($0) }) {
      let words = part.split(whereSeparator: { $0.isWhitespace || $0 == "=" })
      guard !words.isEmpty else { continue }
      guard words.count == 2 else {
        throw Self.problem(
          "“\(part.prefix(100))” is no rate; one is a currency and a number: EUR 1.10."
        )
      }
      let code = words[0].uppercased()
      guard texts.updateValue(String(words[1]), forKey: code) == nil else {
        throw Self.problem("\(code.prefix(100)) has two rates; leave one.")
      }
    }
  }

  init(stored: String) {
    texts = [:]
    for part in stored.split(separator: " ") {
      let words = part.split(separator: "=")
      if words.count == 2 { texts[String(words[0])] = String(words[1]) }
    }
  }

  /// Whether there are none.
  public var isEmpty: Bool { texts.isEmpty }

  /// What one unit is worth, by the code of the currency.
  public var values: [String: Double] { texts.compactMapValues { Double($0) } }

  /// As a person writes them, in the order of the codes.
  public var description: String { joined(" ", between: ", ") }

  var stored: String { joined("=", between: " ") }

  private func joined(_ sign: String, between: String) -> String {
    texts.sorted { $0.key < $1.key }.map { $0.key + sign + $0.value }.joined(separator: between)
  }

  /// Whether a text is a currency's code: three capital letters.
  static func isCurrency(_ code: String) -> Bool {
    code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5a).contains($0) }
  }

  /// The same, of which each can be reckoned with.
  ///
  /// - Throws: `invalid` for a currency that is none or the project's own, a rate that is no decimal number from
  ///   0.000001 to 1000000, and too many.
  func checked(besides own: String) throws(CatalogError) -> ExchangeRates {
    guard texts.count <= Self.maxCount else {
      throw Self.problem("These are \(texts.count) rates; at most \(Self.maxCount) are kept.")
    }
    for (code, text) in texts.sorted(by: { $0.key < $1.key }) {
      guard Self.isCurrency(code) else {
        throw Self.problem(
          "“\(code.prefix(100))” is no currency; one is three letters such as EUR."
        )
      }
      guard code != own else {
        throw Self.problem("\(code) is the project’s own currency; it needs no rate.")
      }
      guard Self.isDecimal(text), let value = Double(text), (1e-6...1e6).contains(value) else {
        throw Self.problem(
          "“\(text.prefix(100))” is no rate of \(code); one is a number from 0.000001 to 1000000 such as 1.10."
        )
      }
    }
    return self
  }

  /// Whether a text has digits with one point between at most, 16 characters in all.
  private static func isDecimal(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 16 && (1...2).contains(parts.count)
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
  }

  private static func problem(_ reason: String) -> CatalogError {
    .invalid(field: "rates", reason: reason)
  }
}
