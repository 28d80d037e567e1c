/// Numbers of things as people read them.
public enum Counted {
  /// Such as `1 event` or `2,500 events`.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - noun: one of them.
  ///   - plural: several of them; with an s at the end of `noun` unless told.
  /// - Returns: the number, with commas between thousands, and the word for it.
  public static func text(
    _ count: some BinaryInteger,
    _ noun: String,
    _ plural: String? = nil
  ) -> String {
    var digits = String(count.magnitude)
    var end = digits.count - 3
    while end > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
      end -= 3
    }
    return "\(count < 0 ? "-" : "")\(digits) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
