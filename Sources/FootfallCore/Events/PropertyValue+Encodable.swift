import Foundation

extension PropertyValue {
  /// The most bytes that a value may write.
  private static let encodedBytes = 1 << 20

  /// What a value writes by its `Encodable`, with dates as text; nil if it writes nothing that JSON can
  /// hold, or more levels than allowed.
  init?(encoding value: any Encodable, levels: Int) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(Timestamp.rfc3339(milliseconds: Timestamp.milliseconds(of: date)))
    }
    do {
      let data = try encoder.encode(value)
      self = try JSONReader.read(Array(data), maxBytes: Self.encodedBytes, maxDepth: levels)
    } catch {
      // Told by whoever asked, under the property's name.
      return nil
    }
  }
}
