/// What a secret access key signs with, for one day, region and service.
///
/// Source: Signature Version 4, "Calculate the signature".
public struct SigningKey: Sendable {
  let bytes: [UInt8]

  init(secret: String, scope: [String]) {
    bytes = scope.reduce(Array(("AWS4" + secret).utf8)) { Digest.hmac(key: $0, $1) }
  }
}

/// The keys that requests were signed with lately: a client signs with one for a whole day, and to make it
/// takes four HMACs.
///
/// A value. Remember a key only once a signature made with it was good: then a flood of strangers' requests
/// cannot drive out those in use.
public struct SigningKeys: Sendable {
  private struct Name: Hashable {
    let secret: String
    let scope: [String]
  }

  private static let maxKept = 4_096
  private var keys: [Name: SigningKey] = [:]

  /// No keys.
  public init() {}

  /// The key that a signature is to be checked with, if it was used before.
  public func key(of signature: SignatureV4, secret: String) -> SigningKey? {
    keys[Name(secret: secret, scope: signature.scope)]
  }

  /// Remembers the key of a good signature; too many others are forgotten, as those of the days before are.
  public mutating func note(_ key: SigningKey, of signature: SignatureV4, secret: String) {
    if keys.count >= Self.maxKept { keys.removeAll() }
    keys[Name(secret: secret, scope: signature.scope)] = key
  }
}
