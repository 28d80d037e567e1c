/// A field of comma-separated values (RFC 4180).
public enum CSVField {
  /// The field; a text that a spreadsheet would take for a formula gets an apostrophe in front.
  ///
  /// - Parameters:
  ///   - text: what stands in it.
  ///   - isText: false of a number, which may begin with a sign.
  /// - Returns: the field, in quotes where it needs them.
  public static func text(_ text: String, isText: Bool = true) -> String {
    var text = text
    if isText, let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) {
      text = "'" + text
    }
    guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else {
      return text
    }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
