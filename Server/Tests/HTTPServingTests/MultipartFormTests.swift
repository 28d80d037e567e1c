import Testing

@testable import HTTPServing

@Suite struct `Forms in parts` {
  private func pairs(_ body: String, type: String = "multipart/form-data; boundary=b") -> [String]?
  {
    Array(body.utf8).withUnsafeBytes { MultipartForm.pairs($0, contentType: type) }?
      .map { "\($0.name)=\($0.value)" }
  }

  private func part(_ name: String, _ value: String) -> String {
    "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
  }

  @Test func `values are taken as they are, up to the line break before the boundary`() {
    let body = part("a", "1") + part("b", "x\r\n--c\r\ny") + part("c", "") + "--b--\r\n"
    #expect(pairs(body) == ["a=1", "b=x\r\n--c\r\ny", "c="])
    #expect(pairs("preamble\r\n" + body + "epilogue") == ["a=1", "b=x\r\n--c\r\ny", "c="])
  }

  @Test func `what is cut short or has no name is left out`() {
    let whole = part("a", "1") + part("b", "2") + "--b--\r\n"
    #expect(pairs(String(whole.dropLast(6))) == ["a=1"])
    #expect(pairs("--b\r\n\r\n1\r\n--b--") == [])
    #expect(pairs("") == [])
  }

  @Test(arguments: [
    "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
    "multipart/mixed; boundary=b",
  ])
  func `other content types hold no form`(type: String) {
    #expect(pairs(part("a", "1") + "--b--", type: type) == nil)
  }
}
