public import EventStore

/// A kind of question that can be asked by pages, the API and the command line alike.
public struct QuestionKind: Sendable {
  /// Something the question can be asked with.
  public struct Parameter: Sendable {
    /// What it takes.
    public enum Kind: Sendable, Hashable {
      /// One of a few words; the first is taken unless told.
      case choice([String])
      /// A text.
      case text
      /// A date such as 2026-12-01.
      case date
      /// A whole number.
      case integer(ClosedRange<Int>)
      /// `true` or `false`.
      case flag
    }

    /// Its name.
    public let name: String
    /// What it takes.
    public let kind: Kind
    /// What it is, as a sentence.
    public let about: String

    init(_ name: String, _ kind: Kind, _ about: String) {
      self.name = name
      self.kind = kind
      self.about = about
    }
  }

  /// The word it is called by.
  public let word: String
  /// What it is called on a page.
  public let title: String
  /// What it answers, as a sentence.
  public let about: String
  /// Whether its answer has a number that an alert can look at.
  public let hasNumberToWatch: Bool
  /// What it can be asked with.
  public let parameters: [Parameter]
  /// Those of them that are not the same for every question.
  public let own: [Parameter]
  private let make:
    @Sendable (QuestionForm) throws -> @Sendable (any EventStore, Cancellation?) throws -> Report

  init<Question: ReportQuestion>(
    _ word: String,
    _ title: String,
    _ about: String,
    _ parameters: [Parameter],
    hasNumberToWatch: Bool = true,
    as question: Question.Type
  ) {
    self.word = word
    self.hasNumberToWatch = hasNumberToWatch
    self.title = title
    self.about = about
    own = parameters
    self.parameters = parameters + Self.shared
    make = { form in
      let question = try Question(form)
      let zone = try form.timeZone()
      let subject = try form.subject()
      let previous = try form.previous()
      return { store, cancellation in
        var report = try question.report(on: store, cancellation: cancellation)
        report.timeZone = zone
        report.subject = subject
        report.previousMs = previous.map { $0.fromMs..<$0.toMs }
        return report
      }
    }
  }

  /// Asks a store; blocks until the answer is there.
  ///
  /// - Parameters:
  ///   - form: what is asked.
  ///   - store: whom to ask.
  ///   - cancellation: stops the question when whoever asked goes away.
  /// - Returns: the answer.
  /// - Throws: `QuestionForm.Problem` when it cannot be asked like that; `StoreError` when the store
  ///   cannot answer, is too slow, or was cancelled.
  public func report(
    _ form: QuestionForm,
    on store: any EventStore,
    cancellation: Cancellation? = nil
  ) throws -> Report {
    try prepared(form)(store, cancellation)
  }

  /// Sees whether a question can be asked, without asking.
  ///
  /// - Throws: `QuestionForm.Problem` when it cannot be asked like that.
  public func check(_ form: QuestionForm) throws { _ = try prepared(form) }

  /// Reads what is asked, so that it can be asked later and on another thread.
  ///
  /// Reads a segment's lists from the catalogue, which may be long: once for a question is enough.
  ///
  /// - Parameter form: what is asked.
  /// - Returns: what asks a store; it blocks until the answer is there.
  /// - Throws: `QuestionForm.Problem` when it cannot be asked like that.
  public func prepared(
    _ form: QuestionForm
  ) throws -> @Sendable (any EventStore, Cancellation?) throws -> Report {
    let known = Set(parameters.map(\.name))
    if let unknown = form.values.keys.sorted().first(where: { !known.contains($0) }) {
      throw QuestionForm.Problem(
        unknown,
        "“\(unknown.prefix(100))” is nothing this question is asked with."
      )
    }
    return try make(form)
  }

  /// Every kind there is.
  public static let all: [QuestionKind] = [
    .trend, .active, .funnel, .retention, .paths, .sessions, .revenue, .hours, .signIns, .crashes,
    .arrival, .messages,
  ]

  /// What every question can be asked with.
  public static let shared: [Parameter] = [
    Parameter(
      "range",
      .choice([TimeRange.standard] + TimeRange.names),
      "The days that count, up to today."
    ),
    Parameter("from", .date, "The first day that counts, in place of “range”."),
    Parameter("to", .date, "The last day that counts; today unless told."),
    Parameter("interval", .choice(TimeAxis.Interval.allCases.map(\.rawValue)), "What a bucket is."),
    Parameter(
      "week",
      .choice(TimeAxis.Weekday.allCases.map(\.rawValue)),
      "Where weeks begin; as the project has it unless told."
    ),
    Parameter("zone", .text, "The time zone in which days begin; the project’s unless told."),
    Parameter(
      "where",
      .text,
      "What must hold of every event: FIELD:COMPARISON:VALUE, several with “;” between them."
    ),
    Parameter("segment", .text, "Only events of people in this segment: its number."),
    Parameter("unit", .choice(Scope.Unit.allCases.map(\.rawValue)), "Whom the question counts."),
    Parameter("test", .flag, "Whether test events count."),
  ]

  static let compare = Parameter(
    "compare",
    .flag,
    "Whether the period before is told, too: as many days before; with weeks or months as many whole ones."
  )
  static let by = Parameter(
    "by",
    .text,
    "By what lines are told apart: \(Field.words.joined(separator: ", ")), props.NAME, user.NAME or "
      + "group.TYPE. A list counts once for each value in it."
  )
}

/// A question as it was asked, with a report for an answer.
protocol ReportQuestion: Sendable {
  init(_ form: QuestionForm) throws(QuestionForm.Problem)
  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report
}

extension Scope.Unit {
  /// Those who are counted, as they are called.
  package var noun: String { rawValue }

  /// One of them, as the head of a column.
  var singular: String {
    switch self {
    case .people: "Person"
    case .devices: "Device"
    case .users: "User"
    }
  }

  /// Who they are, as a sentence.
  var definition: String {
    switch self {
    case .people: "A person is a user with all devices, or a device on which nobody signed in."
    case .devices: "A device is a device id, whoever uses it."
    case .users: "A user is a user id that stands in the event itself."
    }
  }
}

extension String {
  /// With a capital at its start.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// A noun with “a” or “an” before it, as it is spoken.
  var withArticle: String { (self == "hour" ? "an " : "a ") + self }
}
