import Testing

@testable import footfall_sample

@Suite struct `The sample's command line` {
  let needed = ["--endpoint", "http://127.0.0.1:4001", "--key", "ff_pub_1"]

  @Test func `address and key are enough`() throws {
    var expected = Options()
    expected.endpoint = "http://127.0.0.1:4001"
    expected.key = "ff_pub_1"
    #expect(try Options.parse(needed) == .run(expected))
    #expect(expected.people == 200 && expected.days == 90 && expected.seed == 1)
  }

  @Test func `every option is read`() throws {
    let request = try Options.parse(
      needed + [
        "--people", "10", "--days", "7", "--seed", "42", "--no-history", "--data", "/tmp/x",
        "--quiet",
      ]
    )
    guard case .run(let options) = request else {
      Issue.record("not run")
      return
    }
    #expect(options.people == 10 && options.days == 7 && options.seed == 42)
    #expect(!options.sendsHistory && options.goesLive && options.isQuiet)
    #expect(options.folder == "/tmp/x")
  }

  @Test(arguments: [
    (["--key", "k"], "--endpoint is missing"),
    (["--endpoint", "http://a"], "--key is missing"),
    (["--endpoint", "ftp://a", "--key", "k"], "http or https"),
    (["--endpoint"], "--endpoint needs a value"),
    (["--endpoint", "--key", "k"], "--endpoint needs a value"),
    (["--people", "0"], "1 to 10000, not '0'"),
    (["--people", "many"], "whole number"),
    (["--seed", "-1"], "from 0 up"),
    (["--days", "3651"], "0 to 3650"),
    (["--poeple", "3"], "'--poeple' is no option"),
    (["--endpoint", "http://a", "--key", "k", "--no-live", "--no-history"], "nothing to do"),
  ])
  func `a mistake is named`(arguments: [String], part: String) {
    #expect {
      try Options.parse(arguments)
    } throws: { error in
      "\(error)".contains(part)
    }
  }

  @Test(arguments: [["--help"], ["-h"], ["--endpoint", "x", "--help"]])
  func `help is given whatever else is asked`(arguments: [String]) throws {
    #expect(try Options.parse(arguments) == .help)
  }
}
