package import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of errors of the services' clients.
public let AWSServiceErrorDomain = "com.amazonaws.AWSServiceErrorDomain"

/// The codes of errors in `AWSServiceErrorDomain`.
public enum AWSServiceErrorType: Int, Sendable {
  /// Something else.
  case unknown = 0
  /// The service does not take the signature, or the key.
  case authFailure = 2
  /// The service has too much to do.
  case throttling = 4
  /// The clocks of client and service differ too much.
  case requestTimeTooSkewed = 5
  /// The key may not do that.
  case accessDenied = 8
  /// The configuration file, or a setting, lacks something.
  case configuration = 100
  /// The service gave an answer that promises nothing.
  case unexpectedAnswer = 101
  /// What was to be sent could not be stored or read.
  case storage = 102
}

/// Makes the errors that tasks end with.
package enum AWSServiceError {
  /// There is nothing to sign with.
  package static func noCredentials(_ reason: String) -> NSError {
    make(.authFailure, "There are no credentials: \(reason) What was to be sent is kept.")
  }

  /// An error of the services' domain.
  package static func make(_ code: AWSServiceErrorType, _ message: String) -> NSError {
    NSError(
      domain: AWSServiceErrorDomain,
      code: code.rawValue,
      userInfo: [NSLocalizedDescriptionKey: message]
    )
  }

  /// The network is away, as the system would say it.
  package static func offline(_ message: String, timedOut: Bool = false) -> NSError {
    NSError(
      domain: NSURLErrorDomain,
      code: timedOut ? NSURLErrorTimedOut : NSURLErrorNotConnectedToInternet,
      userInfo: [NSLocalizedDescriptionKey: message]
    )
  }
}
