import Catalog
import Foundation
import Insights

/// An alert's terms as text fields.
struct AlertForm {
  var name = ""
  /// The question as an address has it: `trend?events=Bought&interval=hour`.
  var question = ""
  var rule = "over"
  var amount = ""
  var every = "15"
  var webhook = ""

  init() {}

  /// What an alert has.
  init(_ terms: Alert.Terms) {
    name = terms.name
    question = terms.question + "?" + terms.parameters
    rule = terms.rule.word
    let number = "\(terms.rule.amount)"
    // A whole number as people write it.
    amount = number.hasSuffix(".0") ? String(number.dropLast(2)) : number
    every = "\(terms.everyMinutes)"
    webhook = terms.webhook
  }

  /// What was typed.
  init(_ value: (String) -> String?) {
    func text(_ name: String) -> String {
      (value(name) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
    name = text("name")
    question = text("question")
    rule = text("rule")
    amount = text("amount")
    every = text("every")
    webhook = text("webhook")
  }

  /// The terms that it says.
  ///
  /// - Throws: `QuestionForm.Problem` for a question that cannot be asked; `CatalogError.invalid` for what is
  ///   no number.
  func terms(_ setting: QuestionForm.Setting) throws -> Alert.Terms {
    // Somebody may paste a page's whole address.
    let own =
      question.firstRange(of: "/insights/").map { question[$0.upperBound...] } ?? question[...]
    let parts = own.split(separator: "?", maxSplits: 1).map(String.init)
    let saved = try SavedQuestion(
      word: parts.first ?? "",
      query: parts.count == 2 ? parts[1] : ""
    )
    try saved.checkWatched(setting)
    // A comma only stands between thousands: in “0,5” it would be another number.
    let plain =
      amount.wholeMatch(of: /[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?/) == nil
      ? amount : amount.replacing(",", with: "")
    guard let number = Double(plain), let rule = AlertRule(rule, number)
    else {
      throw CatalogError.invalid(
        field: "amount",
        reason:
          "“\(amount)” is no number that this rule can have; a rise or fall of half is written 0.5."
      )
    }
    guard let minutes = Int(every) else {
      throw CatalogError.invalid(
        field: "every",
        reason: "“\(every)” is no whole number of minutes."
      )
    }
    return Alert.Terms(
      name: name,
      question: saved.kind.word,
      parameters: saved.query,
      rule: rule,
      everyMinutes: minutes,
      webhook: webhook
    )
  }
}

/// The form in which an alert is made or changed.
struct AlertFields {
  let visitor: Visitor
  let action: Address
  let form: AlertForm
  let title: String
  let button: String

  private static let rules = [
    ("over", "is over"), ("under", "is under"), ("rise", "rises by more than (a share)"),
    ("fall", "falls by more than (a share)"),
  ]
  private static let times = [
    ("1", "minute"), ("5", "5 minutes"), ("15", "15 minutes"), ("60", "hour"), ("1440", "day"),
  ]

  var html: HTML {
    """
    <section class="card"><h2 class="card-title">\(title)</h2>
    <form method="post" action="\(action)" class="stack">\(FormToken.field(visitor.formToken))
    <label class="field"><span>Name</span><input name="name" value="\(form.name)" required maxlength="100" \
    autocomplete="off" placeholder="Sales stopped"></label>
    <label class="field"><span>Question, as in the address of its page</span><input name="question" \
    value="\(form.question)" required autocomplete="off" spellcheck="false" \
    placeholder="trend?events=Bought&amp;interval=hour&amp;range=7d"></label>
    <div class="two"><label class="field"><span>Tell when the number</span><select name="rule">\
    \(options(Self.rules, form.rule))</select></label>
    <label class="field"><span>Limit</span><input name="amount" value="\(form.amount)" required \
    inputmode="decimal" autocomplete="off" placeholder="100, or 0.5 for half"></label>
    <label class="field"><span>Checked every</span><select name="every">\
    \(options(Self.times, form.every))</select></label>
    <label class="field"><span>Sent to (webhook)</span><input name="webhook" value="\(form.webhook)" required \
    autocomplete="off" spellcheck="false" placeholder="https://example.com/hook"></label></div>
    <button type="submit" class="button">\(button)</button></form></section>
    """
  }

  private func options(_ choices: [(String, String)], _ chosen: String) -> [HTML] {
    let known = choices.contains { $0.0 == chosen } ? choices : choices + [(chosen, chosen)]
    return known.map { value, title in
      #"<option value="\#(value)"\#(" selected", if: value == chosen)>\#(title)</option>"#
    }
  }
}
