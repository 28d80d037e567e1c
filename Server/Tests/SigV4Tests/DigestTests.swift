import Testing
import Wire

@testable import SigV4

@Suite struct `Digests` {
  @Test(
    arguments: [
      (
        [UInt8](repeating: 0x0b, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ]
  )
  func `HMAC-SHA-256 is that of RFC 4231`(key: [UInt8], text: String, expected: String) {
    #expect(Hex.text(Digest.hmac(key: key, text)) == expected)
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `SHA-256 is that of FIPS 180`(text: String, expected: String) {
    #expect(Array(text.utf8).withUnsafeBytes { Hex.text(Digest.sha256($0)) } == expected)
    #expect(Hex.bytes(expected.utf8).map(Hex.text) == expected)
    #expect(Hex.bytes(expected.uppercased().utf8).map(Hex.text) == expected)
    #expect(Hex.bytes(expected.dropLast().utf8) == nil)
  }

  @Test func `a key that was noted is used for its secret, day, region and service alone`() throws {
    var keys = SigningKeys()
    var request = SignedVector.kinesis
    request.sign(["host", "x-amz-date"])
    let (signature, key) = try request.withRequest { request in
      let signature = try SignatureV4(of: request, for: .kinesis)
      return (signature, signature.signingKey(SignedVector.secret))
    }
    #expect(keys.key(of: signature, secret: SignedVector.secret) == nil)
    keys.note(key, of: signature, secret: SignedVector.secret)
    #expect(keys.key(of: signature, secret: SignedVector.secret)?.bytes == key.bytes)
    #expect(keys.key(of: signature, secret: "another") == nil)
    request.sign(["host", "x-amz-date"], region: "eu-west-1")
    let elsewhere = try request.withRequest { try SignatureV4(of: $0, for: .kinesis) }
    #expect(keys.key(of: elsewhere, secret: SignedVector.secret) == nil)
  }
}
