/// The name of a batch file, which says all that is needed to know without opening it.
///
/// `000000000042-50-18234.batch` is batch 42 with 50 events in 18,234 bytes. A batch the server
/// never reads ends in `.unsupported` instead.
package struct BatchName: Sendable, Equatable {
  /// Numbers grow with time; the oldest batch has the smallest.
  package var number: UInt64
  /// The number of its events.
  package var events: Int
  /// The bytes of its events.
  package var bytes: Int
  /// Whether it was put aside as unreadable.
  package var isSetAside: Bool

  private static let digits = 12
  /// Larger numbers were given by nobody: whoever adds them up must not overflow.
  private static let maxNumber: Int64 = 1 << 48

  /// A name from its parts.
  package init(number: UInt64, events: Int, bytes: Int, isSetAside: Bool = false) {
    self.number = number
    self.events = events
    self.bytes = bytes
    self.isSetAside = isSetAside
  }

  /// The parts of a file's name; nil if it is not one of ours.
  init?(fileName: String) {
    let halves = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[1] == "batch" || halves[1] == "unsupported" else { return nil }
    let parts = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let number = Int64(parts[0]), let events = Int64(parts[1]),
      let bytes = Int64(parts[2]), (0...Self.maxNumber).contains(number),
      (1...Self.maxNumber).contains(events), (1...Self.maxNumber).contains(bytes),
      // Integers of a watch are smaller.
      let events = Int(exactly: events), let bytes = Int(exactly: bytes)
    else { return nil }
    self.init(
      number: UInt64(number),
      events: events,
      bytes: bytes,
      isSetAside: halves[1] == "unsupported"
    )
    guard self.fileName == fileName else { return nil }
  }

  /// The file's name.
  var fileName: String {
    let text = String(number)
    let zeros = String(repeating: "0", count: max(0, Self.digits - text.utf8.count))
    return "\(zeros)\(text)-\(events)-\(bytes).\(isSetAside ? "unsupported" : "batch")"
  }

  /// The name the file has until all of it is on disk.
  var draftName: String { fileName + ".draft" }

  static func isDraft(_ fileName: String) -> Bool { fileName.hasSuffix(".draft") }
}
