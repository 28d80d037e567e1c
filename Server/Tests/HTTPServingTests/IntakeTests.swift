import Testing

@testable import HTTPServing

@Suite struct `Request intake` {
  @Test func `a body of exactly the limit is kept and one byte more is not`() {
    var intake = RequestIntake()
    #expect(intake.begin(contentLength: nil, limit: 10, expectsContinue: false) == .read)
    #expect(intake.receive(10) == .keep)
    #expect(intake.refusal == nil)
    #expect(intake.receive(1) == .swallow)
    #expect(intake.refusal == .bodyTooLarge(limit: 10))
  }

  @Test func `what is swallowed is bounded`() {
    var intake = RequestIntake()
    _ = intake.begin(contentLength: nil, limit: 10, expectsContinue: false)
    #expect(intake.receive(RequestIntake.maxSwallowedBytes + 10) == .swallow)
    #expect(intake.receive(1) == .cut)
  }

  @Test(arguments: [(10, false), (11, true)])
  func `the announced length decides before the body`(length: Int, isRefused: Bool) {
    var intake = RequestIntake()
    let verdict = intake.begin(contentLength: length, limit: 10, expectsContinue: false)
    #expect(verdict == .read)
    #expect((intake.refusal != nil) == isRefused)
  }

  @Test func `a body for a request that is refused anyway is not kept`() {
    var intake = RequestIntake()
    _ = intake.begin(contentLength: 5, limit: 10, refusal: .notFound, expectsContinue: false)
    #expect(intake.receive(5) == .swallow)
    #expect(intake.refusal == .notFound)
  }
}

@Suite struct `Client addresses` {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false),
    ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
    ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false), ("::/0", "2001:db8::1", true),
    ("0.0.0.0/0", "1.2.3.4", true),
  ])
  func `a range holds its addresses`(range: String, address: String, isInside: Bool) throws {
    let range = try #require(AddressRange(range))
    #expect(range.contains(try #require(PeerAddress(address))) == isInside)
  }

  @Test(arguments: ["", "10.0.0.0/33", "x/8", "fd00::/129", "10.0.0.0/-1"])
  func `what is no range is told`(text: String) {
    #expect(AddressRange(text) == nil)
  }

  @Test func `only a trusted proxy is believed, and only as far as it saw`() throws {
    let proxy = try #require(PeerAddress("10.0.0.1"))
    let trusted = [try #require(AddressRange("10.0.0.0/8"))]
    func resolve(_ forwarded: String?, _ trusted: [AddressRange]) -> String {
      ClientAddress.resolve(peer: proxy, forwardedFor: forwarded, trusted: trusted)
    }
    #expect(resolve("1.2.3.4", []) == "10.0.0.1")
    #expect(resolve("1.2.3.4", trusted) == "1.2.3.4")
    #expect(resolve("6.6.6.6, 1.2.3.4, 10.0.0.9", trusted) == "1.2.3.4")
    #expect(resolve("nonsense", trusted) == "10.0.0.1")
    #expect(resolve(nil, trusted) == "10.0.0.1")
    #expect(resolve("2001:db8::1", trusted) == "2001:db8::1")
  }
}
