import EventStore
import Testing

@testable import DuckDBStore

@Suite struct `A member of an object` {
  private func found(_ name: String, _ text: String) -> String? {
    Array(name.utf8).withUnsafeBytes { name in
      Array(text.utf8).withUnsafeBytes { bytes in
        MemberScan.value(of: name, in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
      }
    }
  }

  @Test(arguments: [
    ("a", #"{"a":1}"#, "1"), ("b", #"{"a":1,"b":"x, \"y\"}"}"#, #""x, \"y\"}""#),
    ("b", #"{"a":{"b":1,"c":[{}]},"b":[1,{"b":2}],"c":3}"#, #"[1,{"b":2}]"#),
    ("c", #"{"a":{"b":1,"c":[{}]},"b":[],"c":-3.5e2}"#, "-3.5e2"),
    ("c", #" { "a" : "\\" , "c" : true } "#, "true"), ("", #"{"":null}"#, "null"),
    ("a/b~c", #"{"a/b~c":"x"}"#, #""x""#), ("ü", #"{"u":1,"ü":2}"#, "2"),
    ("app", #"{"\u0061pp":7}"#, "7"), ("a\"b", #"{"a\"b":8}"#, "8"),
    ("a", #"{"a":1,"a":2}"#, "1"), ("a", #"{"b":"\\","a":[]}"#, "[]"),
  ])
  func `is found as it stands`(name: String, text: String, value: String) {
    #expect(found(name, text) == value)
  }

  @Test(arguments: [
    ("a", "{}"), ("a", #"{"b":"a"}"#), ("a", #"{"b":{"a":1}}"#), ("a", "[1]"), ("a", ""),
    ("a", "1"), ("a", #"{"aa":1}"#), ("aa", #"{"a":1}"#), ("a", #"{"b":[{"a":1}]}"#),
    ("a", #"{"a"#), ("a", #"{"a":"unfinished"#), ("a", #"{"b":1 "a":2}"#),
  ])
  func `is not found where there is none`(name: String, text: String) {
    #expect(found(name, text) == nil)
  }
}
