/// The style sheet of all pages.
enum Styles {
  /// Tokens first, then the frame, then what stands in it.
  static let all = tokens + frame + controls + live + drawer + insights + boards + paper
}
