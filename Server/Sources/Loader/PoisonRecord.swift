import EventRecord

/// A record that no store takes, for erasing what is in it.
struct PoisonRecord {
  /// What goes of a record.
  enum Erased: Equatable {
    /// Nothing of it.
    case nothing
    /// All that it holds.
    case whole
    /// Some events; what is left, of the same length.
    case some([UInt8])
  }

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Takes events out.
  ///
  /// Whose a record is that cannot be read is not known; it goes when it holds an id of the person.
  func erased(
    holding ids: [String],
    where isErased: (EventView, RecordHeader) -> Bool
  ) -> Erased {
    guard Self.events(of: bytes) != nil else {
      return ids.contains { holds(Array($0.utf8)) } ? .whole : .nothing
    }
    guard let rest = bytes.withUnsafeBytes({ RecordEraser.erase($0, where: isErased) }) else {
      return .nothing
    }
    return Self.events(of: rest) == 0 ? .whole : .some(rest)
  }

  /// How many events can be read; nil when the record cannot.
  private static func events(of bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { bytes in
      do throws(RecordError) {
        var reader = try RecordReader(bytes, handsOutStreamRecords: true)
        var count = 0
        while try reader.next() != nil { count += 1 }
        return count
      } catch {
        return nil
      }
    }
  }

  private func holds(_ text: [UInt8]) -> Bool {
    guard let first = text.first, text.count <= bytes.count else { return false }
    for start in 0...bytes.count - text.count
    where bytes[start] == first && bytes[start..<start + text.count].elementsEqual(text) {
      return true
    }
    return false
  }
}
