/// A JSON object as a table of names and values.
struct JSONTable {
  private let text: String
  private let members: [JSONText.Member]

  init(text: String) {
    self.text = text
    members = JSONText(text)?.members ?? []
  }

  /// Whether there is nothing to show; text that is not an object is shown as it is.
  var isEmpty: Bool { members.isEmpty && (text.isEmpty || JSONText(text) != nil) }

  var html: HTML {
    guard !members.isEmpty else { return #"<pre class="value">\#(text)</pre>"# }
    return #"<dl class="facts">\#(members.map(row))</dl>"#
  }

  private func row(_ member: JSONText.Member) -> HTML {
    "<div><dt>\(member.name)</dt><dd>\(value(member.value))</dd></div>\n"
  }

  private func value(_ value: JSONText) -> HTML {
    switch value {
    case .string(let text): #"<span class="v-string">\#(text)</span>"#
    case .number(let digits): #"<span class="v-number num">\#(digits)</span>"#
    case .boolean(let flag): #"<span class="v-word">\#(flag ? "true" : "false")</span>"#
    case .null: #"<span class="v-word faint">null</span>"#
    case .array(let items) where items.allSatisfy(\.isScalar):
      #"<span class="v-list">\#(items.map { #"<span class="chip">\#($0.plain)</span>"# as HTML })</span>"#
    case .array, .object: #"<pre class="value">\#(value.encoded(indent: 0))</pre>"#
    }
  }
}

extension JSONText {
  /// Whether it holds no other values.
  var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}
