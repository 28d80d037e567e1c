public import Wire

/// What follows from an endpoint that a request created or changed, for the user's and others.
///
/// A value: it is told what is stored, and says what is to be stored.
struct EndpointRules {
  /// The most endpoints of a user.
  ///
  /// Source: Amazon Pinpoint, "Quotas".
  static let endpointsPerUser = 15

  /// What is to be stored.
  struct Change: Equatable {
    /// The endpoint itself.
    var endpoint: PinpointEndpoint
    /// Others that changed by it.
    var others: [PinpointEndpoint] = []
  }

  /// Takes a request's words for an endpoint.
  ///
  /// - Parameters:
  ///   - update: What the request says.
  ///   - endpoint: The endpoint as it is stored, or a new one.
  ///   - sharingAddress: The other active endpoints of its application and channel that have the
  ///     address it will have.
  ///   - ofUser: The other endpoints of the user it will have.
  /// - Returns: What is to be stored.
  /// - Throws: A refusal when the user has too many.
  static func apply(
    _ update: PinpointEndpointUpdate,
    to endpoint: PinpointEndpoint,
    sharingAddress: (PinpointEndpoint) throws(EndpointProblem) -> [PinpointEndpoint],
    ofUser: (PinpointEndpoint) throws(EndpointProblem) -> [PinpointEndpoint]
  ) throws(EndpointProblem) -> Change {
    var change = Change(endpoint: endpoint)
    change.endpoint.apply(update)
    let made = change.endpoint
    if !update.userAttributes.isEmpty, made.state.userID.isEmpty {
      throw .refused(.badRequest("UserAttributes need a UserId."))
    }
    if made.isActive, made.state.texts["Address"].map({ !$0.isEmpty }) ?? false {
      for var other in try sharingAddress(made) {
        other.state.texts["EndpointStatus"] = "INACTIVE"
        change.others.append(other)
      }
    }
    if !made.state.userID.isEmpty, made.state.userID != endpoint.state.userID {
      let others = try ofUser(made)
      if others.count >= endpointsPerUser { try release(from: others, for: made, &change) }
    }
    return change
  }

  /// Takes the user from the push endpoint that was effective longest ago, for another one.
  private static func release(
    from others: [PinpointEndpoint],
    for made: PinpointEndpoint,
    _ change: inout Change
  ) throws(EndpointProblem) {
    let oldest = others.filter(\.isPush).min { $0.effectiveAtMs < $1.effectiveAtMs }
    guard made.isPush, var oldest else {
      throw .refused(
        .badRequest("Exceeded maximum endpoint per user count \(endpointsPerUser).")
      )
    }
    oldest.state.texts["EndpointStatus"] = "INACTIVE"
    oldest.state.userID = ""
    change.others.removeAll { $0.id == oldest.id }
    change.others.append(oldest)
  }
}

/// Why an operation on endpoints did not succeed.
public enum EndpointProblem: Error, Sendable, CustomStringConvertible {
  /// The request is wrong.
  case refused(AWSRefusal)
  /// The store failed; the text says how.
  case failed(String)

  /// What is wrong, as a sentence.
  public var description: String {
    switch self {
    case .refused(let refusal): refusal.message
    case .failed(let reason): reason
    }
  }
}
