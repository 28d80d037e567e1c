import FootfallCore
import Testing

@Suite struct `JSON from outside` {
  func read(_ text: String, depth: Int = 16) throws(JSONReader.Failure) -> PropertyValue {
    try JSONReader.read(Array(text.utf8), maxBytes: 1_000, maxDepth: depth)
  }

  static let values: [(String, PropertyValue)] = [
    ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-0", 0),
    ("-12", -12), ("9223372036854775807", .integer(Int64.max)),
    ("9223372036854775808", .double(0x1p63)),
    ("1.5", 1.5), ("1e2", 100.0), ("-2.5E-1", -0.25), (#""a""#, "a"), ("[]", []), ("{}", [:]),
    (#"[1,"x",[true]]"#, [1, "x", [true]]),
    (#"{"a":{"b":[null]},"c":1}"#, ["a": ["b": [nil]], "c": 1]),
    (#"{"a":1,"a":2}"#, ["a": 2]),
    (#""\"\\\/\b\f\n\r\tä\u00e9\ud83d\ude00""#, "\"\\/\u{8}\u{c}\n\r\täé😀"),
  ]

  @Test(arguments: values)
  func `what is JSON is read`(text: String, value: PropertyValue) throws {
    #expect(try read(text) == value)
  }

  @Test(arguments: [
    "", " ", "tru", "nul", "01", "+1", "1.", ".5", "1e", "--1", "1e999", "NaN", "\"", "\"\u{1}\"",
    #""\x""#, #""\u12""#, #""\ud83d""#, #""\ud83dx""#, #""\ude00""#, "[", "[1", "[1,]", "[,1]",
    "[1 2]",
    "{", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{} {}", "1 x", "\u{feff}1", "'a'",
    "// x\n1",
  ])
  func `what is not JSON is refused`(text: String) {
    #expect(throws: JSONReader.Failure.self) { try read(text) }
  }

  @Test func `broken UTF-8 is refused`() {
    for broken: [UInt8] in [
      [0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22],
    ] {
      #expect(throws: JSONReader.Failure.malformed(at: 0)) {
        try JSONReader.read(broken, maxBytes: 10, maxDepth: 1)
      }
    }
  }

  @Test func `bytes and levels are bounded, at the bound and just over it`() throws {
    #expect(try read("[[1]]", depth: 2) == [[1]])
    #expect(throws: JSONReader.Failure.tooDeep) { try read("[[1]]", depth: 1) }
    #expect(throws: JSONReader.Failure.tooDeep) {
      try read(String(repeating: "[", count: 900))
    }
    let longest = "\"" + String(repeating: "x", count: 998) + "\""
    #expect(throws: Never.self) { try read(longest) }
    #expect(throws: JSONReader.Failure.tooLarge) { try read(longest + " ") }
  }
}
