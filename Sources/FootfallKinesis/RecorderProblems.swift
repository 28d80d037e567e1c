import FootfallAWS
import FootfallJournal
import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of errors of `AWSKinesisRecorder`.
public let AWSKinesisRecorderErrorDomain = "com.amazonaws.AWSKinesisRecorderErrorDomain"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of errors of `AWSFirehoseRecorder`.
public let AWSFirehoseRecorderErrorDomain = "com.amazonaws.AWSFirehoseRecorderErrorDomain"

/// The codes of errors in `AWSKinesisRecorderErrorDomain`.
public enum AWSKinesisRecorderErrorType: Int, Sendable {
  /// Something else: the service or the disk did not take what was given.
  case unknown = 0
  /// A record has more than 262,144 bytes.
  case dataTooLarge = 1
}

/// The codes of errors in `AWSFirehoseRecorderErrorDomain`.
public enum AWSFirehoseRecorderErrorType: Int, Sendable {
  /// Something else: the service or the disk did not take what was given.
  case unknown = 0
  /// A record has more than 262,144 bytes.
  case dataTooLarge = 1
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where an error has the name of the stream that records are kept for.
public let AWSKinesisRecorderStreamNameKey = "streamName"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where an error has the service's own name for what is wrong, such as `ResourceNotFoundException`.
public let AWSKinesisRecorderServiceErrorKey = "serviceError"

extension StreamService {
  /// The domain of a recorder's errors.
  var errorDomain: String {
    self == .kinesis ? AWSKinesisRecorderErrorDomain : AWSFirehoseRecorderErrorDomain
  }

  /// An error of a recorder.
  func error(
    _ message: String,
    isTooLarge: Bool = false,
    _ info: [String: Any] = [:]
  ) -> NSError {
    // Both services have the same codes.
    let code: AWSKinesisRecorderErrorType = isTooLarge ? .dataTooLarge : .unknown
    return NSError(
      domain: errorDomain,
      code: code.rawValue,
      userInfo: info.merging([NSLocalizedDescriptionKey: message]) { $1 }
    )
  }

  /// The disk did not take or give what it should.
  func error(_ failure: JournalError) -> NSError {
    error("The recorder's folder cannot be used: \(failure)")
  }

  /// Why a submission left records where they were; nil if it did not.
  func error(_ problems: [(stream: String, problem: BatchProblem)]) -> NSError? {
    guard let (stream, problem) = problems.first else { return nil }
    let others = problems.dropFirst().map(\.stream).joined(separator: ", ")
    let more = others.isEmpty ? "" : " The records of these are kept, too: \(others)."
    switch problem {
    case .noCredentials:
      return AWSServiceError.noCredentials("The provider gave none.")
    case .unreachable(let reason, let timedOut):
      return AWSServiceError.offline(
        "The records are kept: \(reason).",
        timedOut: timedOut
      )
    case .service(let name, let words):
      let what = name.isEmpty ? words : "\(name): \(words)"
      return error(
        "The records for the stream \(stream) are kept. \(what)\(more)",
        [AWSKinesisRecorderStreamNameKey: stream, AWSKinesisRecorderServiceErrorKey: name]
      )
    }
  }
}
