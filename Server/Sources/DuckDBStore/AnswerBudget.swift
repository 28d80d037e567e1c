import FootfallSystem

/// How many bytes the texts of one answer may still have; any thread.
///
/// DuckDB's functions carry nothing, so that budgets are found by their number.
final class AnswerBudget: Sendable {
  /// What a value counts beside its text, for what it takes to hold it.
  static let bytesPerValue = 8

  private static let left = Lock((next: Int64(1), bytes: [Int64: Int]()))

  /// What it is found by.
  let number: Int64
  private let maxBytes: Int

  init(maxBytes: Int) {
    self.maxBytes = maxBytes
    number = Self.left.withLock { left in
      defer { left.next += 1 }
      left.bytes[left.next] = maxBytes
      return left.next
    }
  }

  deinit { _ = Self.left.withLock { $0.bytes.removeValue(forKey: number) } }

  /// Whether more was asked for than there was.
  var isExceeded: Bool { Self.left.withLock { ($0.bytes[number] ?? 0) < 0 } }

  /// What to do about one that is exceeded, for who wrote the statement.
  var sentence: String {
    """
    The answer is too large: it has at most \(maxBytes >> 20) MB, counted as the bytes of its texts and \
    \(Self.bytesPerValue) more for each value. Ask for fewer rows or columns, or for parts of long values.
    """
  }

  /// Takes bytes; false where there are not as many, or there is no such budget.
  static func take(_ bytes: Int, from number: Int64) -> Bool {
    left.withLock { left in
      guard let now = left.bytes[number], now >= 0 else { return false }
      left.bytes[number] = now - bytes
      return now >= bytes
    }
  }
}
