/// Numbers of things as people read them.
enum Counted {
  /// Such as `1 event` or `2,500 events`.
  static func text(_ count: some BinaryInteger, _ noun: String) -> String {
    var digits = String(count.magnitude)
    var end = digits.count - 3
    while end > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
      end -= 3
    }
    return "\(count < 0 ? "-" : "")\(digits) \(noun)\(count == 1 ? "" : "s")"
  }
}
