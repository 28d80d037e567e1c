import FootfallOutbox
import FootfallSystem
import FootfallTesting
import Testing

/// Opens an outbox on a disk in memory and reads what is in it.
enum Subject {
  static let folder = "/app/client"

  static func open(
    _ files: any FileSystem,
    _ limits: OutboxLimits = OutboxLimits(batchEvents: 5)
  ) throws -> Outbox {
    try Outbox(folder: folder, limits: limits, files: files, random: Self.random)
  }

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
}
