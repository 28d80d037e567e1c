import Testing

@testable import FootfallCLI

@Suite struct `The words of a command` {
  let shape = Arguments.Shape(options: ["data", "port"], switches: ["empty"], positional: 0...1)

  @Test func `options, switches and words are told apart`() throws {
    let parsed = try Arguments(["--data", "x", "create", "--port=80", "--empty"], shape: shape)
    #expect(parsed.options == ["data": "x", "port": "80"])
    #expect(parsed.switches == ["empty"])
    #expect(parsed.positional == ["create"])
  }

  @Test func `words after a double dash are taken as they stand`() throws {
    #expect(try Arguments(["--", "--data"], shape: shape).positional == ["--data"])
  }

  @Test(arguments: [
    (["--dta", "x"], "--dta is not an option of this command. It takes --data, --empty, --port."),
    (["-x"], "-x is not an option of this command. It takes --data, --empty, --port."),
    (["--data"], "--data needs a value."),
    (["--data="], "--data needs a value."),
    (["--empty=yes"], "--empty takes no value."),
    (["--port", "1", "--port", "2"], "--port is given twice."),
    (["a", "b"], "“b” was not expected here."),
  ])
  func `a wrong word is named`(words: [String], message: String) {
    #expect(throws: UsageError(message)) { try Arguments(words, shape: shape) }
  }

  @Test func `a missing word is named as the usage names it`() {
    let shape = Arguments.Shape(positional: 1...1, word: "NUMBER")
    #expect(throws: UsageError("NUMBER is missing.")) { try Arguments([], shape: shape) }
  }

  @Test(arguments: ["", "x", "-1", "65536", "1e3", "99999999999999999999"])
  func `a number outside its range is refused with the range`(text: String) throws {
    let parsed = try Arguments(["--port=\(text.isEmpty ? "?" : text)"], shape: shape)
    #expect(throws: UsageError.self) { try parsed.integer("port", in: 0...65_535, default: 4001) }
  }

  @Test func `a missing number is the default`() throws {
    #expect(try Arguments([], shape: shape).integer("port", in: 0...65_535, default: 4001) == 4001)
  }
}
