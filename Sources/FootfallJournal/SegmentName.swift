/// A segment's file name: its number and its salt, as `000000000001-9f3a5c7e1b2d4f60.journal`.
///
/// The salt stands in the file's header as well; either one is enough to read the frames.
struct SegmentName: Sendable, Equatable, Comparable {
  /// What a file of a journal's folder is.
  enum Kind: String, Sendable {
    /// Frames.
    case segment = ".journal"
    /// An emptied file that keeps the highest number from being given out again.
    case retired = ".retired"
    /// A segment that is written anew and has not taken its place yet.
    case draft = ".journal.new"
  }

  let number: UInt64
  let salt: UInt64

  /// A larger number was given by nobody: whoever counts on from it must not overflow.
  private static let maxNumber: UInt64 = 1 << 48

  init(number: UInt64, salt: UInt64) {
    self.number = number
    self.salt = salt
  }

  /// Reads a file name; nil if it is none of a journal's.
  init?(_ fileName: String, _ kind: Kind) {
    guard fileName.hasSuffix(kind.rawValue) else { return nil }
    let parts = fileName.dropLast(kind.rawValue.count).split(separator: "-")
    guard parts.count == 2, let number = Int64(parts[0]).map({ UInt64(bitPattern: $0) }),
      (1...Self.maxNumber).contains(number),
      let salt = UInt64(hexadecimal: parts[1])
    else { return nil }
    self.init(number: number, salt: salt)
    guard self.fileName(kind) == fileName else { return nil }
  }

  func fileName(_ kind: Kind = .segment) -> String {
    let digits = String(number)
    let padding = String(repeating: "0", count: max(0, 12 - digits.utf8.count))
    return padding + digits + "-" + salt.hexadecimal + kind.rawValue
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.number, left.salt) < (right.number, right.salt)
  }
}
