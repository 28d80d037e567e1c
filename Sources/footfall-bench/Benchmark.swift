/// A named measurement that the harness can run.
struct Benchmark: Sendable {
  let name: String
  /// What is measured, in a line.
  let summary: String
  let run: @Sendable () throws -> [Measurement]
}

/// One number, beside what it is held against in the same run.
struct Measurement: Sendable {
  let name: String
  let value: Double
  let unit: String
  /// The reference's value in the same unit, measured in this run; nil if there is none.
  var reference: Double?

  /// How many times the reference the value is.
  var ratio: Double? {
    reference.flatMap { $0 > 0 ? value / $0 : nil }
  }

  var text: String {
    let compared = reference.map { " (reference \(Self.short($0)), \(Self.short(ratio ?? 0))x)" }
    return "\(name): \(Self.short(value)) \(unit)\(compared ?? "")"
  }

  var json: String {
    func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "null" }
    return "{\"name\":\"\(name)\",\"value\":\(value),\"unit\":\"\(unit)\","
      + "\"reference\":\(number(reference)),\"ratio\":\(number(ratio))}"
  }

  /// Large numbers without, small ones with three decimals.
  private static func short(_ value: Double) -> String {
    if value.magnitude >= 1_000 { return "\(Int(value.rounded()))" }
    return "\((value * 1_000).rounded() / 1_000)"
  }
}
