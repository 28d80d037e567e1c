/// Brings the name of a screen into the form that Phase keeps.
///
/// Source: `phase.md` section 4.
package enum PhaseScreenName {
  /// The name as it is sent: `ProfileView` becomes `/profile-view`.
  package static func wireName(_ name: String) -> String {
    let path = name.prefix { $0 != "?" }.prefix { $0 != "#" }
    var result = "/"
    var previous: Character = "/"
    for character in path {
      if isLowerCase(previous), isUpperCase(character) { result.append("-") }
      let plain: Character = isPlain(character) ? character : "-"
      if plain != "/" || result.last != "/" { result += String(plain).lowercased() }
      previous = character
    }
    if result.count > 1, result.last == "/" { result.removeLast() }
    return result
  }

  private static func isLowerCase(_ character: Character) -> Bool { ("a"..."z") ~= character }

  private static func isUpperCase(_ character: Character) -> Bool { ("A"..."Z") ~= character }

  private static func isPlain(_ character: Character) -> Bool {
    guard let ascii = character.asciiValue, character != "\r\n" else { return false }
    switch ascii {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: " "):
      return true
    default: return false
    }
  }
}
