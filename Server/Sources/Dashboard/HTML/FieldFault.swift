import Catalog
import HTTPServing
import Insights

/// What is wrong with one field of a form that was sent: said beside the field, with what was typed in it.
///
/// Many pages have forms, and each is written out where it stands. What is wrong with one is known only
/// when it comes back, so it is put into the page that was made for the answer: the sentence moves from
/// the top of the page to its field, which names it by `aria-describedby` and gets the focus. Where the
/// form does not show such a field, the page says it on top, as it does without this.
struct FieldFault {
  /// Where the form leads: the path that was asked for.
  let action: String
  /// The field's name.
  let field: String
  /// What is wrong, as a sentence.
  let reason: String
  /// What was typed, by name; nil for a form whose page knows it.
  var typed: (@Sendable (String) -> String?)?

  /// The name of the sentence on the page.
  static let id = "problem"

  /// The fields that the catalogue names otherwise than forms do.
  private static let formNames = [
    "timeZone": "time_zone", "every_minutes": "every", "key": "value",
  ]

  /// The page with the sentence beside its field.
  func placed(in page: String) -> String {
    let action: HTML = #"action="\#(action)""#
    let name: HTML = #"name="\#(Self.formNames[field] ?? field)""#
    var searched = page.startIndex..<page.endIndex
    // Two forms may lead to the same place, as one for each row of a table.
    while let start = page.range(of: action.text, in: searched) {
      let end = page.range(of: "</form>", in: start.upperBound..<page.endIndex)?.lowerBound
      let form = start.lowerBound..<(end ?? page.endIndex)
      if let place = Self.field(name.text, in: form, of: page) {
        return placed(in: page, form, at: place)
      }
      searched = form.upperBound..<page.endIndex
    }
    return page
  }

  private func placed(
    in page: String,
    _ form: Range<String.Index>,
    at field: Range<String.Index>
  ) -> String {
    guard let label = page.range(of: "</label>", in: field.upperBound..<form.upperBound) else {
      return page
    }
    let note: HTML = #"<span class="field-problem" id="\#(Self.id)" role="alert">\#(reason)</span>"#
    var tag = String(page[field])
    if tag.contains("aria-describedby=\"") {
      tag = tag.replacing(
        "aria-describedby=\"",
        with: "aria-describedby=\"\(Self.id) ",
        maxReplacements: 1
      )
    } else {
      tag.insert(
        contentsOf: " aria-describedby=\"\(Self.id)\"",
        at: tag.index(before: tag.endIndex)
      )
    }
    tag.insert(contentsOf: " aria-invalid=\"true\" autofocus", at: tag.index(before: tag.endIndex))
    let parts = [
      page[form.lowerBound..<field.lowerBound], tag[...],
      page[field.upperBound..<label.lowerBound], note.text[...],
      page[label.lowerBound..<form.upperBound],
    ]
    let onTop: HTML = #"<p class="alert" role="alert">\#(reason)</p>"#
    let around = (page[..<form.lowerBound], page[form.upperBound...])
    return String(around.0).replacing(onTop.text, with: "")
      + refilled(parts.joined().replacing(onTop.text, with: ""))
      + String(around.1).replacing(onTop.text, with: "")
  }

  /// The tag of the field of a form that can be typed into or chosen from, and is seen.
  private static func field(
    _ name: String,
    in form: Range<String.Index>,
    of page: String
  ) -> Range<String.Index>? {
    var searched = form
    while let found = page.range(of: name, in: searched) {
      searched = found.upperBound..<form.upperBound
      guard let start = page[form.lowerBound..<found.lowerBound].lastIndex(of: "<"),
        let end = page[found.upperBound..<form.upperBound].firstIndex(of: ">")
      else { continue }
      let tag = start..<page.index(after: end)
      let isField =
        page[tag].hasPrefix("<input") || page[tag].hasPrefix("<select")
        || page[tag].hasPrefix("<textarea")
      let isUnseen = ["hidden", "radio", "checkbox"].contains {
        page[tag].contains("type=\"\($0)\"")
      }
      if isField, !isUnseen, !isFolded(start, of: page) { return tag }
    }
    return nil
  }

  /// Whether a place lies in something that has to be opened first.
  private static func isFolded(_ place: String.Index, of page: String) -> Bool {
    var depth = 0
    var rest = page[..<place]
    while let tag = rest.lastIndex(of: "<") {
      let here = page[tag..<place]
      if here.hasPrefix("</details>") { depth += 1 }
      if here.hasPrefix("<details") {
        if depth == 0 {
          let end = here.firstIndex(of: ">") ?? here.endIndex
          if !here[..<end].hasSuffix(" open") { return true }
        } else {
          depth -= 1
        }
      }
      rest = page[..<tag]
    }
    return false
  }

  /// The form with what was typed into its texts: what is to be mended must be there.
  private func refilled(_ form: String) -> String {
    guard let typed else { return form }
    return form.replacing(/<input ([^>]*)>/) { found -> String in
      let tag = found.output.1
      guard let name = tag.firstMatch(of: /name="([^"]*)"/)?.output.1,
        !tag.contains(/type="(hidden|radio|checkbox|password|file)"/),
        let text = typed(String(name))
      else { return String(found.output.0) }
      let value: HTML = #"value="\#(text)""#
      guard let old = tag.firstRange(of: /value="[^"]*"/) else {
        return "<input \(value.text) \(tag)>"
      }
      return "<input " + tag[..<old.lowerBound] + value.text + tag[old.upperBound...] + ">"
    }.replacing(/(<textarea [^>]*name="([^"]*)"[^>]*>)[^<]*/) { found -> String in
      guard let text = typed(String(found.output.2)) else { return String(found.output.0) }
      return String(found.output.1) + ("\(text)" as HTML).text
    }
  }
}

extension String {
  /// The first place of a text in a part of this one, byte by byte.
  fileprivate func range(of text: String, in part: Range<Index>) -> Range<Index>? {
    self[part].firstRange(of: text)
  }
}

extension Reply {
  /// The same page, with what is wrong beside the field of the form that was sent.
  func beside(_ field: String, _ reason: String, of request: Request) -> Reply {
    let fault = FieldFault(
      action: request.path,
      field: field,
      reason: reason,
      typed: { request.form($0) }
    )
    return map { response in
      var response = response
      response.body = Array(fault.placed(in: String(decoding: response.body, as: UTF8.self)).utf8)
      return response
    }
  }

  /// The same where the catalogue refused a value.
  func beside(_ error: CatalogError, of request: Request) -> Reply {
    guard case .invalid(let field, let reason) = error else { return self }
    return beside(field, reason, of: request)
  }
}
