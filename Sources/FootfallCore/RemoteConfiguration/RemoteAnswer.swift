/// What the answer to the question for the configuration means.
package enum RemoteAnswer: Sendable, Equatable {
  /// The configuration.
  case document(RemoteDocument)
  /// What was fetched before still holds.
  case unchanged
  /// The server will not talk to this client: never ask again in this process.
  case refusedForGood(status: Int)
  /// The server has nothing to say, or does not know the question: asking again at once is no use.
  case refused(status: Int)
  /// There was an answer that is none; the last good one stays.
  case unreadable(RemoteDocumentError)
  /// No answer, or one that asks for patience; `retryAfterSeconds` is the server's wish.
  case failed(String, retryAfterSeconds: Double?)

  /// Judges a whole answer.
  ///
  /// 401 and 403 are for good; another answer below 500 that is neither 200, 304 nor 429 is not
  /// asked again for. Source: `amplitude.md` section 2.13.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - body: The body.
  ///   - member: The member of the body that holds the settings.
  ///   - entityTag: The field `ETag`.
  ///   - retryAfterSeconds: The field `Retry-After`, in seconds from now.
  package init(
    status: Int,
    body: [UInt8],
    member: String,
    entityTag: String?,
    retryAfterSeconds: Double?
  ) {
    switch status {
    case 200:
      do throws(RemoteDocumentError) {
        self = .document(try RemoteDocument(body: body, member: member, entityTag: entityTag))
      } catch {
        self = .unreadable(error)
      }
    case 304: self = .unchanged
    case 401, 403: self = .refusedForGood(status: status)
    case 429, 500...599:
      self = .failed("status \(status)", retryAfterSeconds: retryAfterSeconds)
    default: self = .refused(status: status)
    }
  }
}
