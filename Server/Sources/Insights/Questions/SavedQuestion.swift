public import EventStore
import Foundation

/// A question with all that it is asked with, as an address has it: what is saved and shown again.
///
/// Days that are named from today on, such as `30d`, go with the day on which it is asked.
public struct SavedQuestion: Sendable {
  /// What kind of question it is.
  public let kind: QuestionKind
  /// What it is asked with, by name.
  public let values: [String: String]

  /// A question from its parts; names that it is not asked with are left out.
  public init(_ kind: QuestionKind, _ values: [String: String]) {
    let known = Set(kind.parameters.map(\.name))
    self.kind = kind
    self.values = values.filter { known.contains($0.key) && !$0.value.isEmpty }
  }

  /// Reads a question as an address has it.
  ///
  /// - Parameters:
  ///   - word: the word that the question is called by.
  ///   - query: what it is asked with, as in an address: `range=7d&events=Song%20Played`.
  /// - Throws: `QuestionForm.Problem` for a word, a name or an encoding that nobody knows.
  public init(word: String, query: String) throws(QuestionForm.Problem) {
    guard let kind = QuestionKind.all.first(where: { $0.word == word }) else {
      let words = QuestionKind.all.map(\.word).joined(separator: ", ")
      throw QuestionForm.Problem(
        "question",
        "A question is one of \(words), not “\(word.prefix(100))”."
      )
    }
    let known = Set(kind.parameters.map(\.name))
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = Self.decoded(parts[0]), let value = Self.decoded(parts[1])
      else {
        throw QuestionForm.Problem(
          "parameters",
          "“\(pair.prefix(100))” is not written NAME=VALUE as in an address."
        )
      }
      guard known.contains(name), values.updateValue(value, forKey: name) == nil else {
        throw QuestionForm.Problem(
          name,
          "“\(name.prefix(100))” is nothing this question is asked with, or is there twice."
        )
      }
    }
    self.kind = kind
    self.values = values.filter { !$0.value.isEmpty }
  }

  /// What it is asked with, as in an address and in the order in which the question names it.
  public var query: String {
    kind.parameters.compactMap { parameter in
      values[parameter.name].map { "\(parameter.name)=\(Self.encoded($0))" }
    }.joined(separator: "&")
  }

  /// Whether its answer may tell one person from another: it is broken down by or narrowed down to
  /// people or their properties, by itself or by the rules of its segment.
  ///
  /// Such an answer is not for people who do not sign in. A segment of people by what they did, or by their
  /// groups and devices, tells nobody apart.
  ///
  /// - Parameter segments: where its segment is found.
  /// - Returns: whether it does.
  /// - Throws: a problem with `segment` when that cannot be read.
  public func namesPeople(_ segments: SegmentShelf) throws(QuestionForm.Problem) -> Bool {
    if values["people"] != nil || values.values.contains(where: Self.namesPeople) { return true }
    return try segments.segment(values["segment"])?.rules.contains(where: \.namesPeople) ?? false
  }

  /// Takes a text apart as questions do: conditions or steps, and a step's conditions.
  private static func namesPeople(_ value: String) -> Bool {
    let parts = [value] + EscapedList.parts(of: value, separator: ";")
    return parts.contains { part in
      let texts = [part] + EscapedList.parts(of: part, separator: "|")
      return texts.contains { (Field($0) ?? Condition($0)?.field)?.namesPeople ?? false }
    }
  }

  /// As `check`, for one that is looked at again and again.
  ///
  /// - Throws: `QuestionForm.Problem` when it cannot be asked, or its answer has no number to look at.
  public func checkWatched(_ setting: QuestionForm.Setting) throws {
    guard kind.hasNumberToWatch else {
      throw QuestionForm.Problem(
        "question",
        "“\(kind.word)” has no number that an alert could look at. “\(QuestionKind.trend.word)” counts what happens over time."
      )
    }
    try check(setting)
  }

  /// Sees whether it can be asked, without asking.
  ///
  /// - Throws: `QuestionForm.Problem` when it cannot.
  public func check(_ setting: QuestionForm.Setting) throws {
    try kind.check(QuestionForm(values, setting))
  }

  /// Asks a store; blocks until the answer is there.
  ///
  /// - Throws: As `QuestionKind.report`.
  public func report(
    _ setting: QuestionForm.Setting,
    on store: any EventStore,
    cancellation: Cancellation? = nil
  ) throws -> Report {
    try kind.report(QuestionForm(values, setting), on: store, cancellation: cancellation)
  }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"
  )

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
