/// The shards of a stream: equal ranges of 128-bit hashes.
///
/// Source: `aws.md` section 1.7.
public struct StreamShards: Sendable, Hashable {
  /// How many there are, 1 or more.
  public let count: Int
  /// Hashes per shard; the last one takes what is left.
  private let width: UInt128

  /// That many shards.
  public init(count: Int) {
    self.count = max(1, count)
    let divisor = UInt128(self.count)
    // 2^128 divided by the count, which itself does not fit.
    let (quotient, rest) = UInt128.max.quotientAndRemainder(dividingBy: divisor)
    width = divisor == 1 ? .max : quotient + (rest == divisor - 1 ? 1 : 0)
  }

  /// The shard that a hash belongs to.
  func index(of hash: UInt128) -> Int {
    min(Int(hash / width), count - 1)
  }

  /// The hashes of a shard.
  func range(of index: Int) -> ClosedRange<UInt128> {
    let start = width * UInt128(index)
    return start...(index == count - 1 ? .max : start + width - 1)
  }

  /// A shard's id, as `shardId-000000000000`.
  public static func id(_ index: Int) -> String {
    var json = JSONText()
    appendID(index, to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Adds a shard's id.
  static func appendID(_ index: Int, to json: inout JSONText) {
    json.append(literal: "shardId-")
    json.append(decimal: UInt64(index), digits: 12)
  }

  /// The shard with an id; nil where there is none.
  func index(id: String) -> Int? {
    guard id.hasPrefix("shardId-"), let index = Int(id.dropFirst(8)), index >= 0, index < count,
      Self.id(index) == id
    else { return nil }
    return index
  }

  /// The hash that a client asks for instead of its key's; nil for what is none.
  static func explicitHash(_ text: String) -> UInt128? {
    guard (1...39).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      text == "0" || !text.hasPrefix("0")
    else { return nil }
    return UInt128(text)
  }
}
