public import EventStore

extension EventSearch {
  /// What a search can be asked with, beside what is shared by all questions.
  public static let names = [
    "range", "from", "to", "where", "segment", "test", "name", "columns", "before",
  ]

  /// Reads a search as it stands in an address or behind a command.
  ///
  /// - Throws: `QuestionForm.Problem` when it cannot be asked like that.
  public init(_ form: QuestionForm, limit: Int) throws(QuestionForm.Problem) {
    var place: EventPlace?
    if let text = form.values["before"] {
      place = EventPlace(text: text)
      guard place != nil else {
        throw QuestionForm.Problem("before", "“before” is the place of an event, as pages have it.")
      }
    }
    let scope = try form.scope().with(.name(form.values["name"]))
    self.init(scope, before: place, limit: limit)
  }

  /// The fields that stand beside each event.
  ///
  /// - Throws: `QuestionForm.Problem` for what is no field of an event.
  public static func columns(_ form: QuestionForm) throws(QuestionForm.Problem) -> [Field] {
    var fields: [Field] = []
    for text in EscapedList.parts(of: form.values["columns"] ?? "", separator: ";")
    where !text.isEmpty {
      guard let field = Field(text), !field.isOfState, field != .person else {
        throw QuestionForm.Problem(
          "columns",
          "“\(text.prefix(100))” is no field of an event. One is platform, version, country or props.NAME."
        )
      }
      fields.append(field)
    }
    guard fields.count <= 20 else {
      throw QuestionForm.Problem("columns", "There are at most 20 columns.")
    }
    return fields
  }
}

extension Field {
  /// What an event says of the field; nil where it says nothing, or the person would have to be known.
  public func value(in event: StoredEvent) -> PropertyValue? {
    if self == .name { return .text(event.name) }
    for place in places {
      let members: Members<PropertyValue>? =
        switch place.column {
        case .props: PropertyValue.members(of: event.properties)
        case .context: PropertyValue.members(of: event.context)
        case .client: PropertyValue.members(of: event.client)
        case .groups: PropertyValue.members(of: event.groups)
        case .state, .membership: nil
        }
      if let value = members?[place.member], value != .null { return value }
    }
    return nil
  }
}
