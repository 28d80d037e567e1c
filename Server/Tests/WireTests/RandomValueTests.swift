import EventRecord
import Foundation
import Testing

@testable import Wire

@Suite struct `Random values` {
  @Test func `a random object is copied to an equal one without white space`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("Seed of the random objects: \(seed)")
    var random = SeededNumbers(seed: seed)
    for _ in 0..<1_000 {
      var text = RandomJSON(random: random)
      let source = text.object(depth: 1)
      random = text.random
      let event = try Decoded.event("\"props\":\(source)")
      let copied = event.properties.isEmpty ? "{}" : event.properties
      try #require(try parse(copied) == parse(source), "seed \(seed): \(source)")
      try #require(copied == RandomJSON.minified(source), "seed \(seed): \(source)")
    }
  }

  private func parse(_ text: String) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
  }
}

/// Writes JSON as different clients would: with and without white space and escapes.
private struct RandomJSON {
  var random: SeededNumbers

  mutating func object(depth: Int) -> String {
    var members: [String] = []
    for index in 0..<Int.random(in: 0...6, using: &random) {
      // The index keeps keys apart whatever else is in them.
      members.append("\"\(index)\(characters())\"\(space()):\(space())\(value(depth: depth + 1))")
    }
    return "{\(space())" + members.joined(separator: "\(space()),\(space())") + "\(space())}"
  }

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth < 7 ? 9 : 7), using: &random) {
    case 0: return "null"
    case 1: return Bool.random(using: &random) ? "true" : "false"
    case 2: return String(Int64.random(in: .min ... .max, using: &random))
    case 3: return String(Int.random(in: -1_000...1_000, using: &random))
    case 4: return String(Double.random(in: -1e6...1e6, using: &random))
    case 5, 6: return "\"\(characters())\""
    case 7: return object(depth: depth)
    default:
      let count = Int.random(in: 0...4, using: &random)
      let elements = (0..<count).map { _ in value(depth: depth + 1) }
      return "[\(space())" + elements.joined(separator: "\(space()),\(space())") + "\(space())]"
    }
  }

  private mutating func characters() -> String {
    let pieces = [
      "a", "Z", "0", " ", "  ", "/", "é", "日本", "🎧", "\u{7f}", "\u{80}", "longer text in one piece",
    ]
    let escaped = ["\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83c\\udfa7", "\\/", "\\u001f"]
    return (0..<Int.random(in: 0...8, using: &random)).map { _ in
      let piece = Int.random(in: 0..<8, using: &random) == 0 ? escaped : pieces
      return piece.randomElement(using: &random) ?? ""
    }.joined()
  }

  private mutating func space() -> String {
    guard Int.random(in: 0..<4, using: &random) == 0 else { return "" }
    return [" ", "\n", "\t", "\r\n  "].randomElement(using: &random) ?? ""
  }

  /// Takes white space outside of texts out, and writes keys' escapes as the copier does.
  static func minified(_ source: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(source.utf8)
    var place = 0
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "\"") else {
        if bytes[place] > 0x20 { result.append(bytes[place]) }
        place += 1
        continue
      }
      var end = place + 1
      while bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
      let text = String(decoding: bytes[place...end], as: UTF8.self)
      let after = bytes[(end + 1)...].first { $0 > 0x20 }
      result += Array((after == UInt8(ascii: ":") ? canonicalKey(text) : text).utf8)
      place = end + 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func canonicalKey(_ key: String) -> String {
    var result = ""
    var rest = Substring(key)
    while let character = rest.unicodeScalars.first {
      let known = [
        ("\\u00e9", "é"), ("\\ud83c\\udfa7", "🎧"), ("\\n", "\\u000a"), ("\\/", "/"),
        ("\\\\", "\\\\"), ("\\\"", "\\\""),
      ].first { rest.hasPrefix($0.0) }
      result += known?.1 ?? String(character)
      rest.unicodeScalars.removeFirst(known?.0.unicodeScalars.count ?? 1)
    }
    return result
  }
}
