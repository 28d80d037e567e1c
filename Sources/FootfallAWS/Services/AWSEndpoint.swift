public import Foundation

/// Where a service is.
public final class AWSEndpoint: NSObject, Sendable {
  /// The region requests are signed for.
  public let regionType: AWSRegionType
  /// The region's name, such as `us-east-1`.
  public let regionName: String
  /// The service.
  public let serviceType: AWSServiceType
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The service's address, without a path of an operation.
  ///
  /// Named as in the documented class.
  public let URL: URL

  /// A service's own address in a region.
  public init(
    region: AWSRegionType,
    service: AWSServiceType,
    useUnsafeURL: Bool = false
  ) {
    regionType = region
    regionName = region.name ?? Self.usualRegion
    serviceType = service
    URL = Self.address(of: service, in: regionName, scheme: useUnsafeURL ? "http" : "https")
  }

  /// Another address for a service, such as a Footfall server's.
  public init(region: AWSRegionType, service: AWSServiceType, url: URL) {
    regionType = region
    regionName = region.name ?? Self.usualRegion
    serviceType = service
    URL = url
  }

  /// Another address, for whatever service a client is of.
  public init(url: URL) {
    regionType = .USEast1
    regionName = Self.usualRegion
    serviceType = .Unknown
    URL = url
  }

  /// An address for a region of any name; nil for the service's own.
  package init(regionName: String, service: AWSServiceType, url: URL?) {
    regionType = AWSRegionType(name: regionName)
    self.regionName = regionName
    serviceType = service
    URL = url ?? Self.address(of: service, in: regionName, scheme: "https")
  }

  /// The region of clients that say none.
  package static let usualRegion = "us-east-1"

  /// The host of the address.
  public var hostName: String { URL.host ?? "" }

  /// The address as text, without a slash at its end.
  package var address: String {
    let text = URL.absoluteString
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  private static func address(
    of service: AWSServiceType,
    in region: String,
    scheme: String
  ) -> URL {
    // China's regions lie under a domain of their own.
    let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    var parts = URLComponents()
    parts.scheme = scheme
    parts.host = "\(service.hostName).\(region).\(domain)"
    return parts.url ?? Foundation.URL(fileURLWithPath: "/")
  }
}
