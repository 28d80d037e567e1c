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
    let parts = header.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
    guard parts.first.map(String.init) == Self.algorithm, parts.count == 2 else {
      throw .incomplete("The Authorization header must begin with \(Self.algorithm).")
    }
    var fields: [Substring: Substring] = [:]
    for part in parts[1].split(separator: ",") {
      let pair = part.drop { $0 == " " || $0 == "\t" }.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      fields[pair[0]] = pair[1].prefix { $0 != " " && $0 != "\t" }
    }
    func field(_ name: Substring) throws(SignatureProblem) -> Substring {
      guard let value = fields[name], !value.isEmpty else {
        throw .incomplete("The Authorization header has no \(name).")
      }
      return value
    }
    // An access key id has no slash, a region none either.
    let credential = try field("Credential").split(separator: "/", omittingEmptySubsequences: false)
    guard credential.count == 5, credential.allSatisfy({ !$0.isEmpty }) else {
      throw .incomplete("Credential must be KEY/yyyyMMdd/REGION/SERVICE/aws4_request.")
    }
    accessKeyID = String(credential[0])
    scope = credential.dropFirst().map(String.init)
    signedHeaders = try field("SignedHeaders").split(separator: ";").map { $0.lowercased() }
    guard let signature = Hex.bytes(try field("Signature")), signature.count == 32 else {
      throw .incomplete("Signature must be 64 hexadecimal digits.")
    }
    self.signature = signature
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
