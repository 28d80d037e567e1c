package import FootfallCore
import FootfallPlatform

/// Where a client asks for its configuration, and by which rules.
package struct RemoteConfigurationSettings: Sendable {
  /// When it asks and what counts meanwhile.
  package var rules: RemoteConfigurationRules
  /// The question's full address.
  package var url: String
  /// The question's header fields, with the key.
  package var headers: [(name: String, value: String)]
  /// The member of the answer that holds the settings.
  package var member = "config"
  /// What the server may change of what the library does by itself, as the app chose it.
  package var features = FeatureSet()
  /// The longest a question may take, in seconds.
  package var timeoutSeconds = TransportLimits.timeoutSeconds

  /// Footfall's own question: `GET /v1/config`.
  package init(
    rules: RemoteConfigurationRules,
    url: String,
    headers: [(name: String, value: String)]
  ) {
    self.rules = rules
    self.url = url
    self.headers = headers
  }

  /// The question; with the tag of what is known, the server may answer that it still holds.
  func request(entityTag: String?) -> UploadRequest {
    UploadRequest(
      method: .get,
      url: url,
      headers: headers + (entityTag.map { [("If-None-Match", $0)] } ?? []),
      timeoutSeconds: timeoutSeconds
    )
  }

  /// What a response means; `now` is in seconds since 1970.
  func answer(_ response: UploadResponse, now: Double) -> RemoteAnswer {
    switch response {
    case .answered(let status, let headers, let body):
      RemoteAnswer(
        status: status,
        body: body,
        member: member,
        entityTag: headers["etag"],
        retryAfterSeconds: headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now) }
      )
    case .failed(let failure): .failed("\(failure)", retryAfterSeconds: nil)
    }
  }
}
