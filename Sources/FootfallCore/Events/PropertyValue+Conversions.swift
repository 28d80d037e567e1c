public import Foundation

/// Values of the types that code has at hand.
extension PropertyValue {
  /// Text from a variable.
  public init(_ value: some StringProtocol) {
    self = .string(String(value))
  }

  /// True or false from a variable.
  public init(_ value: Bool) {
    self = .boolean(value)
  }

  /// A whole number of any width, exactly; one beyond 64 bits with sign becomes the nearest
  /// `double`.
  public init(_ value: some BinaryInteger) {
    self = Int64(exactly: value).map { .integer($0) } ?? .double(Double(value))
  }

  /// A number with a fraction, such as a `Double` or a `CGFloat`.
  public init(_ value: some BinaryFloatingPoint) {
    self = .double(Double(value))
  }

  /// A number of single precision, as it is written: `0.1` and not `0.10000000149011612`.
  public init(_ value: Float) {
    self = .double(Double(value.description) ?? Double(value))
  }

  /// A decimal number: `integer` if it is whole and fits, or else the nearest `double`.
  public init(_ value: Decimal) {
    let text = value.description
    self = Int64(text).map { .integer($0) } ?? .double(Double(text) ?? .nan)
  }

  /// A moment as RFC 3339 text in UTC with milliseconds, such as `2026-12-01T09:30:00.123Z`.
  ///
  /// Moments outside the years 0 to 9999 become the nearest end of them.
  public init(_ value: Date) {
    self = .string(Timestamp.rfc3339(milliseconds: Timestamp.milliseconds(of: value)))
  }

  /// A link as the text of its absolute form.
  public init(_ value: URL) {
    self = .string(value.absoluteString)
  }

  /// An identifier as text in lower case.
  public init(_ value: UUID) {
    self = .string(value.uuidString.lowercased())
  }
}
