/// Text that is safe to send to a browser.
///
/// Only literals become markup as they are written. A `String` put into one is escaped, whether it
/// lands between tags or in a quoted attribute; another `HTML` goes in as it is. There is no way
/// from a `String` that came from outside to unescaped markup.
///
/// ```swift
/// let row: HTML = #"<a href="\#(address)" title="\#(name)">\#(name)</a>"#
/// ```
struct HTML: Sendable, Hashable {
  fileprivate var markup: String

  /// The markup as text, for an answer or a stream.
  var text: String { markup }

  /// Nothing.
  static let empty: HTML = ""

  static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.markup + right.markup) }

  static func += (left: inout HTML, right: HTML) { left.markup += right.markup }

  fileprivate init(markup: String) { self.markup = markup }
}

extension HTML: ExpressibleByStringInterpolation {
  init(stringLiteral value: StaticString) { markup = "\(value)" }

  init(stringInterpolation: Interpolation) { markup = stringInterpolation.markup }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + interpolationCount * 24)
    }

    // A static string, so that no `String` can take a literal's way in.
    mutating func appendLiteral(_ literal: StaticString) { markup += "\(literal)" }

    /// Text from anywhere, escaped.
    mutating func appendInterpolation(_ text: some StringProtocol) {
      // An attribute without quotes could be left by a space, which escaping does not touch.
      assert(
        markup.utf8.last != UInt8(ascii: "="),
        "quote the attribute after \(markup.suffix(30))"
      )
      HTML.escape(text, into: &markup)
    }

    /// A whole number in plain digits, as attributes and addresses want it.
    mutating func appendInterpolation(_ number: some BinaryInteger) { markup += "\(number)" }

    /// Markup that was built as such.
    mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    /// Markup, or nothing.
    mutating func appendInterpolation(_ html: HTML?) {
      if let html { markup += html.markup }
    }

    /// Pieces of markup one after the other.
    mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { markup += piece.markup }
    }

    /// An attribute that is there or not, such as `checked`.
    mutating func appendInterpolation(_ attribute: HTML, if isThere: Bool) {
      if isThere { markup += attribute.markup }
    }

    /// An address within this site.
    mutating func appendInterpolation(_ address: Address) {
      HTML.escape(address.text, into: &markup)
    }
  }
}

extension HTML {
  /// Escapes what could end a text or a quoted attribute.
  ///
  /// Control characters that HTML does not allow become U+FFFD, so that a page stays well-formed.
  fileprivate static func escape(_ text: some StringProtocol, into markup: inout String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      case "\"": markup += "&quot;"
      case "'": markup += "&#39;"
      case "\t", "\n", "\r": markup.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{7f}": markup += "\u{fffd}"
      default: markup.unicodeScalars.append(scalar)
      }
    }
  }
}
