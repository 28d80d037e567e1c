/// Where an address is, as far as a file of places says.
public struct Place: Sendable, Hashable {
  /// The country's two letters (ISO 3166), such as `DE`; empty where it is not known.
  public var country = ""
  /// The first subdivision's English name, such as `Bavaria`; empty where it is not known.
  public var region = ""
  /// The city's English name; empty where it is not known.
  public var city = ""

  /// Nowhere.
  public init() {}

  /// A place from its parts.
  public init(country: String, region: String = "", city: String = "") {
    self.country = country
    self.region = region
    self.city = city
  }
}
