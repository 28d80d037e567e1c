import EventStore
import Insights

/// Event names that a question asks for and no event ever had, each with the name that was probably meant.
struct UnknownNames {
  /// One of them.
  struct Entry: Hashable {
    let name: String
    /// The known name that is most alike; nil where none is.
    let guess: String?
    /// What the question is asked with, and what it would be with the guess.
    let parameter: String
    let replaced: String
  }

  let entries: [Entry]

  /// What holds names of events in an address.
  static let parameters = [
    "events", "event", "first", "again", "steps", "without", "sign-in", "sign-up", "failure",
    "name",
  ]
  /// Of how many names, the most frequent ones, a guess is made.
  static let maxKnown = 1_000

  /// Looks at what a question is asked with.
  ///
  /// - Parameters:
  ///   - values: what stands in the address, by name.
  ///   - known: the project's event names, the most frequent first.
  init(asked values: [String: String], known: [String]) {
    let all = Set(known)
    entries = Self.parameters.flatMap { parameter -> [Entry] in
      // One text that is the name itself, or steps with conditions and something between them.
      guard let text = values[parameter] else { return [] }
      let parts =
        parameter == "name" ? [text] : EscapedList.parts(of: text, separator: ";")
      return parts.indices.compactMap { index in
        let step = parameter == "name" ? FunnelStep(text, []) : FunnelStep(parts[index])
        guard var step, !all.contains(step.name) else { return nil }
        let name = step.name
        let guess = Self.closest(to: name, in: known)
        if let guess { step.name = guess }
        var changed = parts
        changed[index] = parameter == "name" ? step.name : step.text
        return Entry(
          name: name,
          guess: guess,
          parameter: parameter,
          replaced: parameter == "name"
            ? step.name : EscapedList.text(of: changed, separator: ";")
        )
      }
    }
  }

  /// A line for each name, with the way to what was probably meant.
  ///
  /// - Parameters:
  ///   - all: where the project's names are listed.
  ///   - address: the question's address with one value changed.
  /// - Returns: the lines; nil where every name is known.
  func html(all: Address, _ address: (_ parameter: String, _ value: String) -> Address) -> HTML? {
    guard !entries.isEmpty else { return nil }
    let lines = entries.map { entry -> HTML in
      let meant: HTML =
        entry.guess.map { guess in
          #"Did you mean <a href="\#(address(entry.parameter, entry.replaced))">\#(guess)</a>?"#
        } ?? #"<a href="\#(all)">See all names</a>"#
      return "<p>No event is called “\(entry.name)”. \(meant)</p>\n"
    }
    return #"<div class="notice" id="unknown" role="status">\#(lines)</div>"#
  }

  // MARK: Likeness

  /// The known name that could have been meant: alike but for case, spaces and signs, or a few letters off.
  static func closest(to name: String, in known: [String]) -> String? {
    let wanted = letters(name)
    guard !wanted.isEmpty else { return nil }
    let most = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in known.prefix(maxKnown) {
      let letters = letters(candidate)
      guard abs(letters.count - wanted.count) <= most else { continue }
      let distance = distance(wanted, letters)
      // Of equally alike ones the more frequent.
      if distance <= most, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  private static func letters(_ name: String) -> [Character] {
    Array(name.prefix(100).lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// How many letters have to be changed, added or left out.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let kept = diagonal + (letter == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(kept, diagonal + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}

extension Report {
  /// Whether something that was asked for never happened in this time.
  var hasNothing: Bool {
    guard !isEmpty, let chart else { return true }
    return chart.lines.contains { line in
      guard !line.isPrevious else { return false }
      return chart.kind == .bars
        ? (line.values.last ?? 0) ?? 0 == 0 : line.values.allSatisfy { $0 ?? 0 == 0 }
    }
  }
}
