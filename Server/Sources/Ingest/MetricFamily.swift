/// One sample of a metric.
public struct MetricSample: Sendable {
  /// Label names and values.
  public var labels: [(name: String, value: String)]
  /// The value.
  public var value: Double

  /// Makes a sample.
  public init(labels: [(name: String, value: String)] = [], _ value: Double) {
    self.labels = labels
    self.value = value
  }
}

/// A metric with all its samples.
public struct MetricFamily: Sendable {
  /// What kind of number it is.
  public enum Kind: String, Sendable {
    /// Only grows while the process runs.
    case counter
    /// Goes up and down.
    case gauge
  }

  /// The name, `footfall_…`, with its unit at the end.
  public var name: String
  /// One sentence about it.
  public var help: String
  /// What kind of number it is.
  public var kind: Kind
  /// The samples; none leaves the family out of the text.
  public var samples: [MetricSample]

  /// Makes a family.
  public init(_ name: String, _ help: String, _ kind: Kind, _ samples: [MetricSample]) {
    self.name = name
    self.help = help
    self.kind = kind
    self.samples = samples
  }
}

/// The text format of Prometheus, version 0.0.4.
public enum MetricText {
  /// The media type.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The text of families, in their order.
  public static func render(_ families: [MetricFamily]) -> String {
    var text = ""
    for family in families where !family.samples.isEmpty {
      text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
      text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
      for sample in family.samples {
        text += "\(family.name)\(labels(sample.labels)) \(number(sample.value))\n"
      }
    }
    return text
  }

  private static func labels(_ labels: [(name: String, value: String)]) -> String {
    guard !labels.isEmpty else { return "" }
    let list = labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
    return "{" + list.joined(separator: ",") + "}"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  private static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 9e15 { return String(Int64(value)) }
    return value.isNaN ? "NaN" : value.isInfinite ? (value > 0 ? "+Inf" : "-Inf") : String(value)
  }
}
