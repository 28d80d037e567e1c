import EventRecord
import Testing

@testable import Wire

@Suite struct `Copied JSON` {
  @Test(
    arguments: [
      (
        #"{ "a" : 1 , "b" : [ 1 , 2 ] , "c" : { } , "d" : [ ] }"#,
        #"{"a":1,"b":[1,2],"c":{},"d":[]}"#
      ),
      ("{\"a\":\t\"x  y\"\r\n}", #"{"a":"x  y"}"#),
      (#"{"a":-0,"b":1.50e+2,"c":true,"d":false,"e":null}"#, nil),
      (#"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83c\udfa7"}"#, nil),
      (#"{"é🎧日本":"é🎧日本"}"#, nil),
      (#"{"":""}"#, nil),
    ] as [(String, String?)]
  )
  func `only white space is left out`(source: String, expected: String?) throws {
    #expect(try copy(source) == expected ?? source)
  }

  @Test(
    arguments: [
      (#"{"a":1,"a":2}"#, #"{"a":2}"#),
      (#"{"a":1,"b":2,"a":3,"c":4,"b":5}"#, #"{"a":3,"c":4,"b":5}"#),
      (#"{"a":{"x":1,"x":2},"b":[{"y":1,"y":2}]}"#, #"{"a":{"x":2},"b":[{"y":2}]}"#),
      (#"{"a":1,"\u0061":2}"#, #"{"a":2}"#),
      (#"{"\u00e9":1,"é":2,"\/":3,"/":4}"#, #"{"é":2,"/":4}"#),
      (#"{"a":1,"A":2,"a ":3}"#, nil),
      (#"{"a":{"b":1},"b":{"a":1}}"#, nil),
      (#"{"a" : [1, {"a":1,"a":2}] , "a" : {"a":1, "a":"x y"}}"#, #"{"a":{"a":"x y"}}"#),
    ] as [(String, String?)]
  )
  func `of two members with one key the last stays`(source: String, expected: String?) throws {
    #expect(try copy(source) == expected ?? source)
  }

  @Test(arguments: [
    (#"{"a":"\ud83c"}"#, #"{"a":"\ufffd"}"#),
    (#"{"a":"x\ud83cy\udfa7\u0000z\ud83c\udfa7"}"#, #"{"a":"x\ufffdy\ufffd\ufffdz\ud83c\udfa7"}"#),
    (#"{"a":"\ud83c\n"}"#, #"{"a":"\ufffd\n"}"#),
    (#"{"\u0000":1,"\udfa7":2}"#, #"{"�":2}"#),
    (#"{"k\n\"\\":1}"#, #"{"k\u000a\"\\":1}"#),
  ])
  func `what no store keeps becomes the replacement character`(
    source: String,
    expected: String
  ) throws {
    #expect(try copy(source) == expected)
  }

  @Test(
    arguments: [
      ("9223372036854775807", nil), ("-9223372036854775808", nil), ("18446744073709551615", nil),
      ("18446744073709551616", "1.8446744073709552e+19"),
      ("-9223372036854775809", "-9.223372036854776e+18"), ("9007199254740993", nil),
      ("0.1234567890123456789", nil), ("1e308", nil), ("-1E-400", nil),
      ("100000000000000000000000.5", nil),
    ] as [(String, String?)]
  )
  func `a number is kept, or becomes the nearest double`(
    source: String,
    expected: String?
  ) throws {
    #expect(try copy(#"{"a":[\#(source), 1]}"#) == #"{"a":[\#(expected ?? source),1]}"#)
  }

  @Test(arguments: ["1e309", "-1e309", "1" + String(repeating: "0", count: 400)])
  func `a number beyond a double is refused`(source: String) throws {
    var copier = JSONCopier(seed: 1)
    #expect(try run(&copier, #"{"a":\#(source)}"#).isEmpty == false)
    #expect(copier.violation == .numberOutOfRange)
  }

  @Test(arguments: [
    "{", "}", "{]", "[}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}", "[1 2]",
    "[,1]", "[1,]", "{\"a\":01}", "[-]", "[1.]", "[.5]", "[1e]", "[1e+]", "[+1]", "[0x1]", "[NaN]",
    "[Infinity]", "[tru]", "[nul]", "[truee]", "[\"\\x\"]", "[\"\\u12\"]", "[\"\\u12g4\"]",
    "[\"\\ud83c\\u12\"]", "[\"a", "[\"\t\"]", "[\"\\", "[\"\u{0}\"]", "[1]x", "\u{0}", "//",
    "[1/**/]",
  ])
  func `what is not JSON is an error`(source: String) {
    #expect(throws: BodyProblem.malformed) { try copy(source) }
    #expect(throws: BodyProblem.malformed) {
      var source = source
      try source.withUTF8 { bytes in
        var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
        try scanner.skipValue()
        guard scanner.isAtEnd() else { throw BodyProblem.malformed }
      }
    }
  }

  @Test func `texts are cut at a number of characters, not of bytes`() throws {
    var copier = JSONCopier(seed: 1)
    copier.limits.longText = .cut(maxCharacters: 4)
    #expect(
      try run(
        &copier,
        #"{"a":"12345","b":"é🎧日本x","c":"\n\n\n\n\n","d":"\ud83c\udfa7234\u0035","e":"é🎧日本"}"#
      )
        == #"{"a":"1234","b":"é🎧日本","c":"\n\n\n\n","d":"\ud83c\udfa7234","e":"é🎧日本"}"#
    )
  }

  @Test(arguments: [
    #"{"a":1,"b":"x","c":-2.5}"#, #"{ "a" : 1 , "b" : "x" ,"c": 2}"#, #"{"a":"x","b":1,"a":"y"}"#,
    #"{"a" :"x","b": 1,"a":2,"b":"z"}"#, #"{"a":"x","\u0061":"y","b":3}"#,
    #"{"\u0061":"x","a":"y"}"#,
    #"{"a":"\u0000","b":"\n","c":"é\ud83c"}"#, #"{"a":99999999999999999999,"b":1e3,"c":1.5e-7}"#,
    #"{"a":{"b":"x","b":"y"},"b":["a"],"a":true}"#, #"{"a":[],"a":"x","c":{},"c":0}"#,
    // Keys of equal length that begin alike.
    #"{"ab":1,"ac":2,"ab":3,"ad":"x","ac":"y"}"#, #"{"":1,"":"x"}"#,
  ])
  func `members are the same one by one as in their object`(source: String) throws {
    #expect(try members(source) == copy(source))
  }

  private func members(_ source: String) throws -> String {
    var copier = JSONCopier(seed: 1)
    var source = source
    return try source.withUTF8 { bytes in
      copier.scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
      var sink = ByteSink()
      sink.openObject()
      var isMore = try copier.scanner.enterObject()
      while isMore {
        try copier.appendMember(try copier.scanner.key(), frame: 0, to: &sink)
        isMore = try copier.scanner.nextMember()
      }
      sink.closeObject()
      #expect(copier.violation == nil)
      return String(decoding: sink.bytes, as: UTF8.self)
    }
  }

  private func copy(_ source: String) throws -> String {
    var copier = JSONCopier(seed: 1)
    let result = try run(&copier, source)
    #expect(copier.violation == nil)
    return result
  }

  private func run(_ copier: inout JSONCopier, _ source: String) throws -> String {
    var source = source
    return try source.withUTF8 { bytes in
      copier.scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
      var sink = ByteSink()
      let result =
        switch try copier.copy(into: &sink) {
        case .source(let range): String(decoding: bytes[range], as: UTF8.self)
        case .sink(let range): String(decoding: sink.bytes[range], as: UTF8.self)
        }
      guard copier.scanner.isAtEnd() else { throw BodyProblem.malformed }
      return result
    }
  }
}
