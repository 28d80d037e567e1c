// swift-format-ignore: AlwaysUseLowerCamelCase
/// A region of Amazon's.
///
/// A Footfall server takes any: a client chooses what it signs for.
public enum AWSRegionType: Int, Sendable, CaseIterable {
  /// No region that is known here.
  case Unknown
  /// `us-east-1`.
  case USEast1
  /// `us-east-2`.
  case USEast2
  /// `us-west-1`.
  case USWest1
  /// `us-west-2`.
  case USWest2
  /// `eu-west-1`.
  case EUWest1
  /// `eu-west-2`.
  case EUWest2
  /// `eu-central-1`.
  case EUCentral1
  /// `ap-southeast-1`.
  case APSoutheast1
  /// `ap-northeast-1`.
  case APNortheast1
  /// `ap-northeast-2`.
  case APNortheast2
  /// `ap-southeast-2`.
  case APSoutheast2
  /// `ap-south-1`.
  case APSouth1
  /// `sa-east-1`.
  case SAEast1
  /// `cn-north-1`.
  case CNNorth1
  /// `ca-central-1`.
  case CACentral1
  /// `us-gov-west-1`.
  case USGovWest1
  /// `cn-northwest-1`.
  case CNNorthWest1
  /// `eu-west-3`.
  case EUWest3
  /// `us-gov-east-1`.
  case USGovEast1
  /// `eu-north-1`.
  case EUNorth1
  /// `ap-east-1`.
  case APEast1
  /// `me-south-1`.
  case MESouth1
  /// `af-south-1`.
  case AFSouth1
  /// `eu-south-1`.
  case EUSouth1
}

extension AWSRegionType {
  /// The region's name in addresses and signatures; nil of none.
  package var name: String? { Self.names[self] }

  /// The region of a name, or `Unknown`.
  package init(name: String) {
    self = Self.names.first { $0.value == name.lowercased() }?.key ?? .Unknown
  }

  private static let names: [AWSRegionType: String] = [
    .USEast1: "us-east-1", .USEast2: "us-east-2", .USWest1: "us-west-1", .USWest2: "us-west-2",
    .EUWest1: "eu-west-1", .EUWest2: "eu-west-2", .EUCentral1: "eu-central-1",
    .APSoutheast1: "ap-southeast-1", .APNortheast1: "ap-northeast-1",
    .APNortheast2: "ap-northeast-2", .APSoutheast2: "ap-southeast-2", .APSouth1: "ap-south-1",
    .SAEast1: "sa-east-1", .CNNorth1: "cn-north-1", .CACentral1: "ca-central-1",
    .USGovWest1: "us-gov-west-1", .CNNorthWest1: "cn-northwest-1", .EUWest3: "eu-west-3",
    .USGovEast1: "us-gov-east-1", .EUNorth1: "eu-north-1", .APEast1: "ap-east-1",
    .MESouth1: "me-south-1", .AFSouth1: "af-south-1", .EUSouth1: "eu-south-1",
  ]
}
