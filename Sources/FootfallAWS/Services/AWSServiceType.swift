// swift-format-ignore: AlwaysUseLowerCamelCase
/// The services that have clients here.
public enum AWSServiceType: Int, Sendable, CaseIterable {
  /// None that is known here.
  case Unknown
  /// Kinesis Data Streams.
  case Kinesis
  /// Firehose.
  case Firehose
  /// Pinpoint, its analytics as well as its endpoints.
  case Pinpoint
  /// Pinpoint's endpoints.
  case PinpointTargeting
}

extension AWSServiceType {
  /// What stands before the region in the service's address.
  package var hostName: String {
    switch self {
    case .Kinesis: "kinesis"
    case .Firehose: "firehose"
    case .Pinpoint, .PinpointTargeting: "pinpoint"
    case .Unknown: "unknown"
    }
  }

  /// The service's name in signatures.
  ///
  /// Source: `aws.md` section 1.1.
  package var signingName: String {
    switch self {
    case .Pinpoint, .PinpointTargeting: "mobiletargeting"
    default: hostName
    }
  }
}
