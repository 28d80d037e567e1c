import Testing

@testable import Dashboard

@Suite struct `Markup` {
  @Test(arguments: [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    (#"" onmouseover="x"#, "&quot; onmouseover=&quot;x"),
    ("' onclick='x", "&#39; onclick=&#39;x"),
    ("a & b", "a &amp; b"),
    ("null\0 and bell\u{7}", "null\u{fffd} and bell\u{fffd}"),
    ("é 漢 👩‍👩‍👧", "é 漢 👩‍👩‍👧"),
  ])
  func `text is escaped between tags and in attributes`(text: String, escaped: String) {
    let html: HTML = #"<b title="\#(text)">\#(text)</b>"#
    #expect(html.text == #"<b title="\#(escaped)">\#(escaped)</b>"#)
  }

  @Test func `markup stays markup, lists and optional parts too`() {
    let item: HTML = "<li>\("<")</li>"
    let nothing: HTML? = nil
    let html: HTML = "<ul>\([item, item])\(nothing)\(" hidden", if: false)\(" open", if: true)</ul>"
    #expect(html.text == "<ul><li>&lt;</li><li>&lt;</li> open</ul>")
  }

  @Test func `an address encodes its parts and never leaves this site`() {
    let address = Address("projects", "a/b?c", "liv€").with("name", "x&y=z <\"'>").with("empty", "")
    #expect(
      address.text == "/projects/a%2Fb%3Fc/liv%E2%82%AC?name=x%26y%3Dz%20%3C%22%27%3E"
    )
    #expect(Address().text == "/")
  }

  @Test(arguments: [
    ("/projects/1/live?name=x", true), ("/", true), ("//evil.example", false),
    ("/\\evil.example", false), ("https://evil.example", false), ("javascript:alert(1)", false),
    ("", false), ("/a\r\nSet-Cookie: x=1", false), ("/a b", false),
  ])
  func `only an address within this site is gone back to`(text: String, isLocal: Bool) {
    #expect((Address(local: text) != nil) == isLocal)
  }
}

@Suite struct `JSON for people` {
  @Test(arguments: [
    #"{"b":1,"a":[1.50,-2e10,null,true],"n":{"x":"y"}}"#, "[]", "{}", #""a\"\\\n""#,
    "12345678901234567890",
  ])
  func `order and digits stay as they were written`(text: String) throws {
    #expect(try #require(JSONText(text)).encoded(indent: nil) == text)
  }

  @Test func `escapes are read, half a pair becomes a replacement`() throws {
    let value = try #require(JSONText(#""\u00e9\ud83d\ude00\ud83dx\/""#))
    #expect(value.plain == "é😀\u{fffd}x/")
  }

  @Test(arguments: ["", "{", "[1,]", #"{"a"}"#, "nul", "1 2", #""open"#, "--1"])
  func `what is not JSON is not read`(text: String) {
    #expect(JSONText(text) == nil)
  }

  @Test func `endless nesting is refused instead of overflowing the stack`() {
    #expect(JSONText(String(repeating: "[", count: 100_000)) == nil)
  }

  @Test func `indented form has a member a line`() throws {
    let value = try #require(JSONText(#"{"a":{"b":[1]},"c":{}}"#))
    #expect(
      value.encoded(indent: 0) == """
        {
          "a": {
            "b": [
              1
            ]
          },
          "c": {}
        }
        """
    )
  }
}
