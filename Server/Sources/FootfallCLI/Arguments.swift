/// The words after a command, sorted into options, switches and the rest.
///
/// Options are written `--name value` or `--name=value`; everything after `--` is taken as it stands.
struct Arguments: Equatable {
  /// Values by option name, without the dashes.
  private(set) var options: [String: String] = [:]
  /// Switches that were given, without the dashes.
  private(set) var switches: Set<String> = []
  /// Words that are neither, in order.
  private(set) var positional: [String] = []

  /// What a command accepts.
  struct Shape {
    /// Names of options that take a value.
    var options: Set<String> = []
    /// Names of switches.
    var switches: Set<String> = []
    /// How many other words are allowed.
    var positional: ClosedRange<Int> = 0...0
    /// What the first of them is, as the usage calls it.
    var word = "A word"
  }

  /// Sorts words by what the command accepts.
  ///
  /// - Throws: `UsageError`, which names the word that is wrong and what is allowed.
  init(_ words: [String], shape: Shape) throws(UsageError) {
    var rest = words[...]
    var isLiteral = false
    while let word = rest.popFirst() {
      guard !isLiteral, word.hasPrefix("-"), word != "-" else {
        positional.append(word)
        continue
      }
      if word == "--" {
        isLiteral = true
      } else {
        try take(word, rest: &rest, shape: shape)
      }
    }
    try checkCount(shape)
  }

  private mutating func take(
    _ word: String,
    rest: inout ArraySlice<String>,
    shape: Shape
  ) throws(UsageError) {
    let parts = word.drop(while: { $0 == "-" }).split(
      separator: "=",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    let name = String(parts.first ?? "")
    if word.hasPrefix("--"), shape.options.contains(name) {
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
        throw UsageError("--\(name) needs a value.")
      }
      guard options.updateValue(value, forKey: name) == nil else {
        throw UsageError("--\(name) is given twice.")
      }
    } else if word.hasPrefix("--"), shape.switches.contains(name) {
      guard parts.count == 1 else { throw UsageError("--\(name) takes no value.") }
      switches.insert(name)
    } else {
      let known = (shape.options.union(shape.switches)).sorted().map { "--\($0)" }
      let hint =
        known.isEmpty ? "It takes no options." : "It takes \(known.joined(separator: ", "))."
      throw UsageError("\(word) is not an option of this command. \(hint)")
    }
  }

  private func checkCount(_ shape: Shape) throws(UsageError) {
    if positional.count > shape.positional.upperBound {
      throw UsageError("“\(positional[shape.positional.upperBound])” was not expected here.")
    }
    if positional.count < shape.positional.lowerBound {
      throw UsageError("\(shape.word) is missing.")
    }
  }

  /// An option as a whole number.
  func integer(
    _ name: String,
    in range: ClosedRange<Int>,
    default value: Int
  ) throws(UsageError) -> Int {
    guard let text = options[name] else { return value }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text)”."
      )
    }
    return number
  }

  /// An option that must be one of a few words.
  func choice(
    _ name: String,
    of allowed: [String],
    default value: String
  ) throws(UsageError) -> String {
    guard let text = options[name] else { return value }
    guard allowed.contains(text) else {
      throw UsageError("--\(name) is one of \(allowed.joined(separator: ", ")), not “\(text)”.")
    }
    return text
  }
}

/// A command was called with words it does not understand.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
