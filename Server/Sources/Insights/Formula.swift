/// A calculation over several series of a trend, such as `A / B * 100`.
///
/// A letter is a series: `A` the first, up to `J` the tenth. There are numbers in decimal digits, `+`,
/// `-`, `*`, `/` and parentheses, with the usual precedence. What a series has no value for, and what is
/// divided by zero, has no value.
public struct Formula: Sendable, Hashable {
  /// Why a text is no formula.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and where, as a sentence.
    public var description: String
  }

  private indirect enum Term: Sendable, Hashable {
    case number(Double)
    case series(Int)
    case minus(Term)
    case pair(Term, Sign, Term)
  }

  private enum Sign: Character, Sendable, Hashable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
  }

  /// The formula as it was written.
  public let text: String
  /// How many series there must be.
  public let seriesCount: Int
  private let term: Term

  /// How many series a formula can name.
  public static let maxSeries = 10

  // Deeper ones would be evaluated on too much of the stack.
  private static let maxDepth = 50
  private static let maxLength = 500

  /// Reads a formula.
  ///
  /// - Throws: `Problem` that says where it cannot be read.
  public init(_ text: String) throws(Problem) {
    guard text.count <= Self.maxLength else {
      throw Problem(description: "A formula has at most \(Self.maxLength) characters.")
    }
    var reader = Reader(Array(text))
    term = try reader.sum(depth: 0)
    try reader.expectEnd()
    self.text = text
    seriesCount = reader.seriesCount
    guard seriesCount > 0 else {
      throw Problem(description: "A formula names a series: A is the first event, B the second.")
    }
  }

  /// Which letter stands for a series, counted from 0.
  public static func letter(_ index: Int) -> String {
    String(UnicodeScalar(UInt8(0x41 + min(max(0, index), maxSeries - 1))))
  }

  /// What it comes to; nil where a value is missing, at a division by zero, and beyond all numbers.
  public func value(_ series: [Double?]) -> Double? {
    let value = Self.value(term, series)
    return value?.isFinite == true ? value : nil
  }

  private static func value(_ term: Term, _ series: [Double?]) -> Double? {
    switch term {
    case .number(let number): return number
    case .series(let index): return series.indices.contains(index) ? series[index] : nil
    case .minus(let term): return value(term, series).map { -$0 }
    case .pair(let left, let sign, let right):
      guard let left = value(left, series), let right = value(right, series) else { return nil }
      switch sign {
      case .plus: return left + right
      case .minus: return left - right
      case .times: return left * right
      case .over: return right == 0 ? nil : left / right
      }
    }
  }

  /// Reads from left to right.
  private struct Reader {
    private let characters: [Character]
    private var place = 0
    private(set) var seriesCount = 0

    init(_ characters: [Character]) { self.characters = characters }

    /// Terms that are added or taken away.
    mutating func sum(depth: Int) throws(Problem) -> Term {
      var term = try product(depth: depth)
      while let sign = next(of: [.plus, .minus]) {
        term = .pair(term, sign, try product(depth: depth))
      }
      return term
    }

    private mutating func product(depth: Int) throws(Problem) -> Term {
      var term = try single(depth: depth)
      while let sign = next(of: [.times, .over]) {
        term = .pair(term, sign, try single(depth: depth))
      }
      return term
    }

    private mutating func single(depth: Int) throws(Problem) -> Term {
      guard depth < Formula.maxDepth else {
        throw Problem(description: "A formula is at most \(Formula.maxDepth) parentheses deep.")
      }
      skipSpace()
      guard place < characters.count else {
        throw Problem(description: "The formula ends where a letter or a number should stand.")
      }
      let character = characters[place]
      if character == "-" {
        place += 1
        return .minus(try single(depth: depth + 1))
      }
      if character == "(" {
        place += 1
        let term = try sum(depth: depth + 1)
        skipSpace()
        guard place < characters.count, characters[place] == ")" else {
          throw Problem(description: "A parenthesis that was opened is not closed.")
        }
        place += 1
        return term
      }
      if character.isASCII, character.isNumber || character == "." { return .number(try number()) }
      return .series(try series())
    }

    private mutating func series() throws(Problem) -> Int {
      guard let ascii = characters[place].uppercased().utf8.first,
        characters[place].isASCII, (0x41..<0x41 + UInt8(Formula.maxSeries)).contains(ascii)
      else { throw unexpected() }
      place += 1
      let index = Int(ascii - 0x41)
      seriesCount = max(seriesCount, index + 1)
      return index
    }

    private mutating func number() throws(Problem) -> Double {
      let start = place
      while place < characters.count, characters[place].isASCII,
        characters[place].isNumber || characters[place] == "."
      {
        place += 1
      }
      let text = String(characters[start..<place])
      guard let number = Double(text) else {
        throw Problem(description: "“\(text)” is no number; one is written 100 or 0.5.")
      }
      return number
    }

    private mutating func next(of signs: [Sign]) -> Sign? {
      skipSpace()
      guard place < characters.count, let sign = Sign(rawValue: characters[place]),
        signs.contains(sign)
      else { return nil }
      place += 1
      return sign
    }

    mutating func expectEnd() throws(Problem) {
      skipSpace()
      if place < characters.count { throw unexpected() }
    }

    private func unexpected() -> Problem {
      Problem(
        description:
          "“\(characters[place])” at place \(place + 1) of the formula is neither a letter "
          + "from A to J, a number, + - * / nor a parenthesis that fits."
      )
    }

    private mutating func skipSpace() {
      while place < characters.count, characters[place].isWhitespace { place += 1 }
    }
  }
}
