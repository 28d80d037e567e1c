import EventRecord

/// Where a person was: what an event says of it, or what is known of an address.
public struct WirePlace: Sendable, Hashable {
  /// The country's two letters (ISO 3166); empty where it is not known.
  public var country: String
  /// The region's name; empty where it is not known.
  public var region: String
  /// The city's name; empty where it is not known.
  public var city: String

  /// A place from its parts.
  public init(country: String, region: String = "", city: String = "") {
    self.country = country
    self.region = region
    self.city = city
  }

  /// Adds what is known as members of an object, each with a comma behind it.
  func append(to object: inout ByteSink) {
    func append(_ name: StaticString, _ value: String) {
      guard !value.isEmpty else { return }
      object.append(name)
      var value = value
      value.withUTF8 { object.append(quoting: UnsafeRawBufferPointer($0)) }
      object.append(UInt8(ascii: ","))
    }
    object.openObject()
    append("\"country\":", country)
    append("\"region\":", region)
    append("\"city\":", city)
  }
}

/// Finds the place of one request, and of addresses that it names.
public struct WirePlaces: Sendable {
  /// Where the request came from, as text; only looked up, never kept.
  let remoteAddress: String
  private let find: @Sendable (_ address: String) -> WirePlace?

  /// For a request from an address; `find` is nil for an address that is nowhere known.
  public init(
    remoteAddress: String,
    find: @escaping @Sendable (_ address: String) -> WirePlace?
  ) {
    self.remoteAddress = remoteAddress
    self.find = find
  }

  /// Where the request came from.
  var ofRequest: WirePlace? { place(of: remoteAddress) }

  /// Where an address is; nil where that is not known.
  func place(of address: String) -> WirePlace? { address.isEmpty ? nil : find(address) }
}
