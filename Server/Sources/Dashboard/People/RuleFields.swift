import Insights

/// The fields with which a rule about people is put together.
enum RuleFields {
  /// Any field of an event.
  static var eventCondition: HTML {
    fields("Only where", "price, platform or user.plan")
  }

  /// A property or what the last event says of device and app.
  static var condition: HTML { fields("Only who has", "plan, platform or group.org") }

  private static func fields(_ label: String, _ placeholder: String) -> HTML {
    let comparisons = Condition.Comparison.allCases.map { comparison -> HTML in
      #"<option value="\#(comparison.rawValue)">\#(comparison.title)</option>"#
    }
    return """
      <label class="ask-field"><span>\(label)</span><input id="ask-f" name="f" \
      placeholder="\(placeholder)" list="fields" autocomplete="off" spellcheck="false" \
      autocapitalize="none"></label>
      <label class="ask-field"><span>Comparison</span><select id="ask-op" name="op">\(comparisons)</select></label>
      <label class="ask-field"><span>Value</span><input id="ask-v" name="v" placeholder="value" \
      autocomplete="off" spellcheck="false" autocapitalize="none"></label>
      """
  }

  /// What stands in the list of fields.
  static var options: [HTML] {
    (Field.wordsOfPeople + ["user.", "group."]).map {
      #"<option value="\#($0)"></option>"# as HTML
    }
  }
}
