/// Makes files in MaxMind's format (version 2.0 of its specification) for tests: networks and what holds
/// of them.
public struct PlaceDatabase {
  /// A value of the format.
  public indirect enum Value {
    /// A text.
    case text(String)
    /// A map, in this order.
    case map(KeyValuePairs<String, Value>)
    /// A list.
    case list([Value])
    /// A number without a sign of so many bytes at most: 2, 4 or 8.
    case number(UInt64, bytes: Int)
  }

  /// What the file says it is.
  public var kind = "Test-City"
  /// When it was made, in seconds since 1970.
  public var builtAtSeconds: UInt64 = 1_764_547_200
  /// Bits of one record of the search tree: 24, 28 or 32.
  public var recordBits = 24
  private var networks: [(bits: [Bool], value: Value)] = []

  /// A file without networks.
  public init() {}

  /// Adds an IPv4 network, such as `203.0.113.0/24`; networks may not overlap.
  public mutating func add(_ network: String, _ value: Value) {
    let parts = network.split(separator: "/")
    let address = parts[0].split(separator: ".").compactMap { UInt8($0) }
    let length = parts.count > 1 ? Int(parts[1]) ?? 32 : 32
    let bits: [Bool] = address.flatMap { byte -> [Bool] in
      (0..<8).map { byte >> UInt8(7 - $0) & 1 == 1 }
    }
    // IPv4 lies at the start of the addresses of IPv6.
    networks.append((Array(repeating: false, count: 96) + bits.prefix(length), value))
  }

  /// Adds a network of one city, as GeoLite and DB-IP write it.
  public mutating func add(_ network: String, country: String, region: String, city: String) {
    add(
      network,
      .map([
        "city": .map(["names": .map(["de": .text("nicht " + city), "en": .text(city)])]),
        "country": .map([
          "geoname_id": .number(2_921_044, bytes: 4), "iso_code": .text(country),
          "names": .map(["en": .text("Country of " + city)]),
        ]),
        "subdivisions": .list([
          .map(["iso_code": .text("X"), "names": .map(["en": .text(region)])])
        ]),
      ])
    )
  }

  /// The file.
  public var bytes: [UInt8] {
    // A record is a node, or the place of a value, or nothing.
    enum Record { case none, node(Int), value(Int) }
    var nodes: [[Record]] = [[.none, .none]]
    var data: [UInt8] = []
    for network in networks {
      var node = 0
      for (depth, bit) in network.bits.enumerated() {
        let side = bit ? 1 : 0
        if depth == network.bits.count - 1 {
          nodes[node][side] = .value(data.count)
        } else if case .node(let next) = nodes[node][side] {
          node = next
        } else {
          nodes.append([.none, .none])
          nodes[node][side] = .node(nodes.count - 1)
          node = nodes.count - 1
        }
      }
      data += Self.encoded(network.value)
    }
    let count = nodes.count
    let tree = nodes.flatMap { node -> [UInt8] in
      let records = node.map { record -> UInt32 in
        switch record {
        case .none: UInt32(count)
        case .node(let index): UInt32(index)
        case .value(let offset): UInt32(count + 16 + offset)
        }
      }
      return packed(records[0], records[1])
    }
    let metadata = Value.map([
      "binary_format_major_version": .number(2, bytes: 2),
      "binary_format_minor_version": .number(0, bytes: 2),
      "build_epoch": .number(builtAtSeconds, bytes: 8), "database_type": .text(kind),
      "description": .map(["en": .text("Places of a test")]),
      "ip_version": .number(6, bytes: 2), "languages": .list([.text("en")]),
      "node_count": .number(UInt64(count), bytes: 4),
      "record_size": .number(UInt64(recordBits), bytes: 2),
    ])
    return tree + [UInt8](repeating: 0, count: 16) + data
      + [0xab, 0xcd, 0xef] + Array("MaxMind.com".utf8) + Self.encoded(metadata)
  }

  private func packed(_ left: UInt32, _ right: UInt32) -> [UInt8] {
    func low(_ record: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: record >> UInt32(8 * $0)) }
    }
    switch recordBits {
    case 24: return low(left, 3) + low(right, 3)
    case 28:
      let middle = UInt8(left >> 24) << 4 | UInt8(right >> 24)
      return low(left, 3) + [middle] + low(right, 3)
    default: return low(left, 4) + low(right, 4)
    }
  }

  private static func encoded(_ value: Value) -> [UInt8] {
    switch value {
    case .text(let text): return control(2, Array(text.utf8).count) + Array(text.utf8)
    case .map(let members):
      return members.reduce(control(7, members.count)) {
        $0 + encoded(.text($1.key)) + encoded($1.value)
      }
    case .list(let values): return values.reduce(control(11, values.count)) { $0 + encoded($1) }
    case .number(let number, let bytes):
      let all = (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
      let digits = Array(all.drop { $0 == 0 })
      return control([2: 5, 4: 6, 8: 9][bytes] ?? 6, digits.count) + digits
    }
  }

  /// The bytes before a value that say its type and size.
  private static func control(_ type: Int, _ size: Int) -> [UInt8] {
    let (short, more): (Int, [UInt8]) =
      size < 29
      ? (size, [])
      : size < 285
        ? (29, [UInt8(size - 29)])
        : (
          30,
          [
            UInt8((size - 285) >> 8), UInt8((size - 285) & 0xff),
          ]
        )
    let first = UInt8((type < 8 ? type : 0) << 5 | short)
    return [first] + (type < 8 ? [] : [UInt8(type - 7)]) + more
  }
}
