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
  /// people or their properties.
  ///
  /// Such an answer is not for people who do not sign in.
  public var namesPeople: Bool {
    values["people"] != nil
      || values.values.contains { value in
        // A separator that is part of a text splits too often, never too seldom.
        value.split(whereSeparator: { ";|".contains($0) }).contains { Self.namesPeople(String($0)) }
      }
  }

  private static func namesPeople(_ text: String) -> Bool {
    switch Field(text) ?? Condition(text)?.field {
    case .person, .user: true
    default: false
    }
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
