/// What people are told who are not the operator: a message without the places of files on this machine.
public enum ClientText {
  /// What an error says, with each absolute path in it cut to the file's name.
  public static func of(_ error: any Error) -> String { of("\(error)") }

  /// A message with each absolute path in it cut to the file's name.
  ///
  /// A path begins with a slash where a word or a quotation does and has a second slash. Within quotation
  /// marks it goes on to the closing one, else to a blank or a mark that no name ends with.
  public static func of(_ message: String) -> String {
    guard message.contains("/") else { return message }
    var told = ""
    var rest = Substring(message)
    while let first = rest.first {
      if first == "/", let path = path(rest, after: told.last) {
        told += path.split(separator: "/").last ?? ""
        rest = rest[path.endIndex...]
      } else {
        told.append(first)
        rest.removeFirst()
      }
    }
    return told
  }

  private static let closing: [Character: Character] = [
    "\"": "\"", "'": "'", "`": "`", "“": "”", "‘": "’",
  ]

  /// What ends a path that stands in no quotation marks, beside blanks.
  private static let ends: [Character] = Array(",;()”’\"'`")

  private static func path(_ rest: Substring, after before: Character?) -> Substring? {
    guard before.map({ $0.isWhitespace || "(=".contains($0) || closing[$0] != nil }) ?? true else {
      return nil
    }
    var path: Substring
    if let before, let mark = closing[before], let end = rest.firstIndex(of: mark) {
      path = rest[..<end]
    } else {
      path = rest.prefix { !$0.isWhitespace && !ends.contains($0) }
      // A folder's name may have blanks: a word with a slash in it goes on.
      while let word = following(path, in: rest) { path = rest[..<word.endIndex] }
      while let last = path.last, ".:".contains(last) { path.removeLast() }
    }
    // A division has no second slash, and what follows its first is mostly a blank.
    return path.split(separator: "/").count > 1 && !path.hasPrefix("//") ? path : nil
  }

  private static func following(_ path: Substring, in rest: Substring) -> Substring? {
    let after = rest[path.endIndex...]
    guard after.first == " " else { return nil }
    let word = after.dropFirst().prefix { !$0.isWhitespace && !ends.contains($0) }
    return word.contains("/") && word.first != "/" && !word.contains("://") ? word : nil
  }
}
