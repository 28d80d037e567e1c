import FootfallSystem
import FootfallTesting

@testable import FootfallJournal

/// The folder of a journal on a disk in memory.
let folder = "/data/log"

/// Random numbers that are the same in every run.
final class SeededRandom: Sendable {
  private let state: Lock<UInt64>

  init(_ seed: UInt64 = 7) {
    state = Lock(seed)
  }

  func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9e37_79b9_7f4a_7c15
      var mix = state
      mix = (mix ^ mix >> 30) &* 0xbf58_476d_1ce4_e5b9
      mix = (mix ^ mix >> 27) &* 0x94d0_49bb_1331_11eb
      return mix ^ mix >> 31
    }
  }

  func next(below bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }
}

func open(
  _ files: MemoryFiles,
  _ configuration: Journal.Configuration = .init(),
  random: SeededRandom = SeededRandom()
) throws -> Journal {
  try Journal(
    folder: folder,
    configuration: configuration,
    files: files,
    random: { random.next() }
  )
}

extension Journal {
  /// Everything up to the last written byte.
  func everything() throws -> (payloads: [[UInt8]], read: JournalRead) {
    var payloads: [[UInt8]] = []
    let read = try read(from: .start, upTo: end) { payload, _ in payloads.append([UInt8](payload)) }
    return (payloads, read)
  }

  /// Everything, as texts.
  func texts() throws -> [String] {
    try everything().payloads.map { String(decoding: $0, as: UTF8.self) }
  }

  @discardableResult
  func append(_ text: String) throws(JournalError) -> JournalPosition {
    try append(Array(text.utf8))
  }
}

extension MemoryFiles {
  /// The paths of a journal's segments, oldest first.
  var segmentPaths: [String] { paths.filter { $0.hasSuffix(".journal") } }
}

/// Error numbers of Linux and Apple systems alike.
enum Code {
  static let inputOutput: Int32 = 5
  static let noSpace: Int32 = 28
}
