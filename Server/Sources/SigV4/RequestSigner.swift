internal import Wire

/// Signs requests as clients of AWS do; for tests and benchmarks, since a server only checks.
package struct RequestSigner: Sendable {
  /// The access key id and its secret.
  package var accessKeyID: String
  package var secret: String
  /// What it signs for.
  package var service: String
  package var region = "us-east-1"

  /// A signer for a key and a service.
  package init(accessKeyID: String, secret: String, service: String) {
    self.accessKeyID = accessKeyID
    self.secret = secret
    self.service = service
  }

  /// The header fields to send, with date and signature; those given must be in small letters and
  /// have the host.
  package func signed(
    method: String = "POST",
    path: String = "/",
    _ fields: [String: String],
    body: [UInt8],
    atMs nowMs: Int64
  ) -> [(name: String, value: String)] {
    let date = UTCTime(nowMs).compact
    var fields = fields
    fields["x-amz-date"] = date
    let names = fields.keys.sorted()
    let scope = [String(date.prefix(8)), region, service, "aws4_request"]
    let canonical = body.withUnsafeBytes { body in
      let request = SignedRequest(
        method: method,
        path: UnsafeRawBufferPointer(start: nil, count: 0),
        query: UnsafeRawBufferPointer(start: nil, count: 0),
        body: body,
        headers: { [fields] name in fields[name].map { [$0] } ?? [] }
      )
      return request.canonical(
        signing: request.headerLines(names),
        host: fields["host"] ?? "",
        path: path[...].utf8,
        bodyHash: Hex.text(Digest.sha256(body))
      )
    }
    let hash = canonical.withUnsafeBytes { Hex.text(Digest.sha256($0)) }
    let key = SigningKey(secret: secret, scope: scope).bytes
    let text = "\(Authorization.algorithm)\n\(date)\n\(scope.joined(separator: "/"))\n\(hash)"
    let authorization =
      "\(Authorization.algorithm) Credential=\(accessKeyID)/\(scope.joined(separator: "/")), "
      + "SignedHeaders=\(names.joined(separator: ";")), "
      + "Signature=\(Hex.text(Digest.hmac(key: key, text)))"
    return names.map { ($0, fields[$0] ?? "") } + [("authorization", authorization)]
  }
}
