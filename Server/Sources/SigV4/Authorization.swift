public import Wire

/// The parts of an `Authorization` header of Signature Version 4.
struct Authorization: Equatable {
  static let algorithm = "AWS4-HMAC-SHA256"

  /// Who signed.
  let accessKeyID: String
  /// Day, region, service and `aws4_request`, as they stand in the header.
  let scope: [String]
  /// The names of the signed header fields, in small letters.
  let signedHeaders: [String]
  /// The 32 bytes of the signature.
  let signature: [UInt8]

  /// Takes a header apart; any blanks may stand around its commas.
  init(_ header: String) throws(SignatureProblem) {
    // Bytes in a row are taken apart in far fewer steps than a text.
    let parts = Array(header.utf8).split(maxSplits: 1, whereSeparator: Self.isBlank)
    guard parts.count == 2, parts[0].elementsEqual(Self.algorithm.utf8) else {
      throw .incomplete("The Authorization header must begin with \(Self.algorithm).")
    }
    var credential: ArraySlice<UInt8>?
    var signedHeaders: ArraySlice<UInt8>?
    var signature: ArraySlice<UInt8>?
    for part in parts[1].split(separator: UInt8(ascii: ",")) {
      let pair = part.drop(while: Self.isBlank).split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard pair.count == 2 else { continue }
      let value = pair[1].prefix { !Self.isBlank($0) }
      switch String(decoding: pair[0], as: UTF8.self) {
      case "Credential": credential = value
      case "SignedHeaders": signedHeaders = value
      case "Signature": signature = value
      default: continue
      }
    }
    // An access key id has no slash, a region none either.
    let names = try Self.field("Credential", credential)
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard names.count == 5, names.allSatisfy({ !$0.isEmpty }) else {
      throw .incomplete("Credential must be KEY/yyyyMMdd/REGION/SERVICE/aws4_request.")
    }
    accessKeyID = String(decoding: names[0], as: UTF8.self)
    scope = names.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    self.signedHeaders = try Self.field("SignedHeaders", signedHeaders)
      .split(separator: UInt8(ascii: ";")).map { String(decoding: $0, as: UTF8.self).lowercased() }
    guard let bytes = Hex.bytes(try Self.field("Signature", signature)), bytes.count == 32 else {
      throw .incomplete("Signature must be 64 hexadecimal digits.")
    }
    self.signature = bytes
  }

  private static func field(
    _ name: String,
    _ value: ArraySlice<UInt8>?
  ) throws(SignatureProblem) -> ArraySlice<UInt8> {
    guard let value, !value.isEmpty else {
      throw .incomplete("The Authorization header has no \(name).")
    }
    return value
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}

/// Why a request's signature is not accepted.
public enum SignatureProblem: Error, Sendable, Hashable {
  /// There is no `Authorization` header.
  case missing
  /// The header, or what it needs beside it, cannot be read; the text says what.
  case incomplete(String)
  /// Nobody has this access key.
  case unknownKey
  /// The signature is not that of this request and key, or its date or scope does not fit; the text says
  /// which.
  case invalid(String)

  /// The refusal as the service's clients know it.
  ///
  /// The names matter more than the statuses: the iOS SDK corrects its clock and tries again on
  /// `InvalidSignatureException`.
  public func refusal(by service: AWSService) -> AWSRefusal {
    let status = service == .pinpoint ? 403 : 400
    return switch self {
    case .missing:
      AWSRefusal(
        status,
        "MissingAuthenticationTokenException",
        "The request has no Authorization header; sign it with an access key of this server."
      )
    case .incomplete(let what): AWSRefusal(status, "IncompleteSignatureException", what)
    case .unknownKey:
      AWSRefusal(
        status,
        "UnrecognizedClientException",
        "The access key of this request is not one of this server, or was revoked."
      )
    case .invalid(let what): AWSRefusal(status, "InvalidSignatureException", what)
    }
  }
}
