import Testing

@testable import FootfallPlatform

@Suite struct `HTTP answer` {
  @Test(arguments: [
    ("Content-Type: application/json\r\n", "content-type", "application/json"),
    ("RETRY-AFTER:  12 \r\n", "retry-after", "12"),
    ("X:\r\n", "x", ""),
    ("X: a: b\n", "x", "a: b"),
  ])
  func `a field is kept under its lower-cased name`(line: String, name: String, value: String) {
    var answer = HTTPAnswer()
    answer.receive(headerLine: Array(line.utf8))
    #expect(answer.headers == [name: value])
  }

  @Test(arguments: ["\r\n", "no colon\r\n", ": nothing\r\n", ""])
  func `a line that is no field is left out`(line: String) {
    var answer = HTTPAnswer()
    answer.receive(headerLine: Array(line.utf8))
    #expect(answer.headers.isEmpty)
  }

  @Test func `a header over the limit is kept up to there`() {
    var answer = HTTPAnswer()
    for number in 0..<10_000 { answer.receive(headerLine: Array("X-\(number): 12345678".utf8)) }
    #expect(answer.headers.count < 5_000)
    #expect(answer.headers["x-0"] == "12345678")
  }

  @Test(arguments: [(-1, false), (0, false), (1, true)])
  func `a body is cut only past its limit`(over: Int, isCut: Bool) {
    var answer = HTTPAnswer()
    let half = [UInt8](repeating: 1, count: TransportLimits.maxAnswerBytes / 2)
    let wantsMore = [
      answer.receive(body: half),
      answer.receive(body: [UInt8](repeating: 2, count: half.count + over)),
    ]
    #expect(wantsMore == [true, !isCut])
    #expect(answer.isCut == isCut)
    #expect(answer.body.count == TransportLimits.maxAnswerBytes + min(over, 0))
  }
}
