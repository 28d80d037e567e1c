/// The records of a CSV text (RFC 4180) with the numbers of the lines they begin in.
struct CSVRecords: Sequence {
  struct Problem: Error {
    let reason: String
  }

  typealias Element = (line: Int, values: Result<[String], Problem>)

  private let text: String

  init(_ text: String) {
    self.text = text
  }

  func makeIterator() -> Iterator { Iterator(rest: text.unicodeScalars[...]) }

  struct Iterator: IteratorProtocol {
    fileprivate var rest: Substring.UnicodeScalarView
    private var line = 1

    fileprivate init(rest: Substring.UnicodeScalarView) {
      self.rest = rest
    }

    mutating func next() -> Element? {
      guard !rest.isEmpty else { return nil }
      let start = line
      var values: [String] = []
      while true {
        switch field() {
        case .value(let value): values.append(value)
        case .last(let value): return (start, .success(values + [value]))
        case .broken(let reason):
          skipLine()
          return (start, .failure(Problem(reason: reason)))
        }
      }
    }

    private enum Field {
      case value(String)
      case last(String)
      case broken(String)
    }

    private mutating func field() -> Field {
      guard rest.first == "\"" else { return plain() }
      let opening = rest
      let openingLine = line
      rest.removeFirst()
      var value = String.UnicodeScalarView()
      while let scalar = rest.popFirst() {
        if scalar == "\n" { line += 1 }
        guard scalar == "\"" else {
          value.append(scalar)
          continue
        }
        if rest.first == "\"" {
          rest.removeFirst()
          value.append("\"")
          continue
        }
        switch rest.first {
        case nil: return .last(String(value))
        case ",":
          rest.removeFirst()
          return .value(String(value))
        case "\r", "\n":
          endLine()
          return .last(String(value))
        default:
          rest = opening
          line = openingLine
          return .broken("There is text behind a closing quote.")
        }
      }
      // A quote that nobody closes must not take all other lines along.
      rest = opening
      line = openingLine
      return .broken("A quote is not closed.")
    }

    private mutating func plain() -> Field {
      var value = String.UnicodeScalarView()
      while let scalar = rest.first {
        switch scalar {
        case ",":
          rest.removeFirst()
          return .value(String(value))
        case "\r", "\n":
          endLine()
          return .last(String(value))
        default:
          value.append(scalar)
          rest.removeFirst()
        }
      }
      return .last(String(value))
    }

    private mutating func endLine() {
      if rest.first == "\r" { rest.removeFirst() }
      if rest.first == "\n" { rest.removeFirst() }
      line += 1
    }

    private mutating func skipLine() {
      while let scalar = rest.popFirst() {
        if scalar == "\n" {
          line += 1
          return
        }
      }
    }
  }
}
