package import FootfallPlatform

extension UploadResponse {
  /// The status, if the server answered.
  package var status: Int? { if case .answered(let status, _, _) = self { status } else { nil } }

  /// The header fields by lower-cased name, if the server answered.
  package var headers: [String: String]? {
    if case .answered(_, let headers, _) = self { headers } else { nil }
  }

  /// The body, if the server answered.
  package var body: [UInt8]? { if case .answered(_, _, let body) = self { body } else { nil } }

  /// The failure, if no answer came.
  package var failure: TransportFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }
}
