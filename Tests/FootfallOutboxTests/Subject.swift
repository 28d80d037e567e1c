import FootfallOutbox
import FootfallSystem
import FootfallTesting
import Testing

/// Opens an outbox on a disk in memory and reads what is in it.
enum Subject {
  static let folder = "/app/client"

  static func open(
    _ files: any FileSystem,
    _ limits: OutboxLimits = Subject.small
  ) throws -> Outbox {
    try Outbox(folder: folder, limits: limits, files: files, random: Self.random)
  }

  /// Limits with small batches, all of which may be sealed at once.
  static let small = OutboxLimits(batchEvents: 5, batchesAhead: .max, reserveBytes: 0)

  private static let counter = Lock<UInt64>(0)

  /// Another number each time, as journals are told apart by theirs.
  @Sendable static func random() -> UInt64 {
    counter.withLock { number in
      number += 1
      return number
    }
  }

  /// An event as the encoder would write it, told apart by its number.
  static func event(_ number: Int, padding: Int = 0) -> [UInt8] {
    Array("{\"id\":\"\(number)\",\"p\":\"\(String(repeating: "x", count: padding))\"}".utf8)
  }

  static func events(_ numbers: Range<Int>, padding: Int = 0) -> [[UInt8]] {
    numbers.map { event($0, padding: padding) }
  }

  /// The numbers of all events in a batch, in order.
  static func numbers(_ batch: SealedBatch) -> [Int] {
    String(decoding: batch.events, as: UTF8.self).split(separator: "\n").compactMap { line in
      Int(line.split(separator: "\"").dropFirst(3).first ?? "")
    }
  }

  /// The numbers of all events of an outbox, oldest first; seals what is not sealed.
  static func numbers(_ outbox: Outbox) throws -> [Int] {
    try outbox.seal(includingRest: true)
    return try outbox.batches.flatMap { numbers(try outbox.read($0)) }
  }

  /// The numbers of all events beside what their batches have in common; seals what is not sealed.
  static func contents(_ outbox: Outbox) throws -> [(number: Int, content: String)] {
    try outbox.seal(includingRest: true)
    return try outbox.batches.flatMap { name in
      let batch = try outbox.read(name)
      let content = String(decoding: batch.commonContent, as: UTF8.self)
      return numbers(batch).map { ($0, content) }
    }
  }

  static func note(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

  static func note(of outbox: Outbox) -> String? {
    outbox.note.map { String(decoding: $0, as: UTF8.self) }
  }
}
