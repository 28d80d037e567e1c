import FootfallCore
import Testing

@Suite struct `Remote document` {
  private func document(_ text: String) throws(RemoteDocumentError) -> RemoteDocument {
    try RemoteDocument(body: Array(text.utf8), member: "config", entityTag: "\"3\"")
  }

  @Test func `settings, version and tag are taken, nulls are not`() throws {
    let read = try document(#"{"config":{"a":1,"b":null,"c":{"d":null},"e":[1,null]},"version":3}"#)
    #expect(read.content == ["a": 1, "c": [:], "e": [1]])
    #expect(read.version == 3)
    #expect(read.entityTag == "\"3\"")
  }

  @Test(arguments: [
    "", "<html>", "[]", "{}", #"{"config":1}"#, #"{"config":null}"#, #"{"config":{}"#,
  ])
  func `garbage is no document`(text: String) {
    #expect(throws: RemoteDocumentError.self) { try document(text) }
  }

  @Test func `an answer is taken up to its bounds`() throws {
    let nested = String(repeating: "[", count: 14) + String(repeating: "]", count: 14)
    #expect(throws: Never.self) { try document(#"{"config":{"a":\#(nested)}}"#) }
    #expect(throws: RemoteDocumentError.unreadable(.tooDeep)) {
      try document(#"{"config":{"a":[\#(nested)]}}"#)
    }
    let blanks = String(repeating: " ", count: RemoteDocument.maxBytes - 13)
    #expect(throws: Never.self) { try document(#"{"config":{}}"# + blanks) }
    #expect(throws: RemoteDocumentError.unreadable(.tooLarge)) {
      try document(#"{"config":{}}"# + blanks + " ")
    }
  }

  @Test(arguments: [
    (200, "{\"config\":{}}", RemoteAnswer.document(RemoteDocument(content: [:], entityTag: "t"))),
    (200, "", .unreadable(.unreadable(.malformed(at: 0)))),
    (200, "{}", .unreadable(.noSettings("config"))),
    (304, "", .unchanged), (401, "", .refusedForGood(status: 401)),
    (403, "", .refusedForGood(status: 403)), (400, "", .refused(status: 400)),
    (404, "", .refused(status: 404)), (302, "", .refused(status: 302)),
    (204, "", .refused(status: 204)), (429, "", .failed("status 429", retryAfterSeconds: 7)),
    (500, "", .failed("status 500", retryAfterSeconds: 7)),
    (599, "", .failed("status 599", retryAfterSeconds: 7)),
  ])
  func `the table of answers`(status: Int, body: String, answer: RemoteAnswer) {
    #expect(
      RemoteAnswer(
        status: status,
        body: Array(body.utf8),
        member: "config",
        entityTag: "t",
        retryAfterSeconds: 7
      ) == answer
    )
  }

  @Test func `settings are found by their path and kind`() {
    let configuration = RemoteConfiguration(
      RemoteDocument(content: ["a": ["b": 3, "c": 0.5, "d": "x", "e": true]], version: 2),
      source: .server
    )
    #expect(configuration.integer("a.b") == 3)
    #expect(configuration.double("a.b") == 3)
    #expect(configuration.double("a.c") == 0.5)
    #expect(configuration.string("a.d") == "x")
    #expect(configuration.boolean("a.e") == true)
    #expect(configuration["a"] == ["b": 3, "c": 0.5, "d": "x", "e": true])
    for missing in ["", ".", "a.", "a.z", "a.b.c", "b"] { #expect(configuration[missing] == nil) }
    #expect(configuration.string("a.b") == nil)
    #expect(configuration.version == 2)
    #expect(RemoteConfiguration().source == .local)
  }
}
