/// Where saved segments and imported lists are found when a question names them.
public struct SegmentShelf: Sendable {
  /// A segment as it was saved.
  public struct Saved: Sendable {
    /// What it is called.
    public var name: String
    /// The segment, as `Segment` reads it.
    public var definition: String

    /// A saved segment from its parts.
    public init(name: String, definition: String) {
      self.name = name
      self.definition = definition
    }
  }

  private let segment: @Sendable (Int64) throws -> Saved?
  private let members: @Sendable (Int64) throws -> [Int64]?

  /// A shelf over somebody's segments and lists.
  ///
  /// - Parameters:
  ///   - segment: the segment of a number; nil for none.
  ///   - members: the numbers of those on a list (`PersonNumber`); nil for no such list.
  public init(
    segment: @escaping @Sendable (Int64) throws -> Saved?,
    members: @escaping @Sendable (Int64) throws -> [Int64]?
  ) {
    self.segment = segment
    self.members = members
  }

  /// A shelf with nothing on it.
  public static let empty = SegmentShelf(segment: { _ in nil }, members: { _ in nil })

  /// The segment of a number that stands in an address; nil for no number.
  ///
  /// - Throws: a problem with `segment` when there is none of that number, or it cannot be read.
  public func filter(
    _ number: String?,
    nowMs: Int64
  ) throws(QuestionForm.Problem) -> SegmentFilter? {
    guard let (segment, name) = try saved(number) else { return nil }
    return try filter(segment, name: name, nowMs: nowMs)
  }

  /// The segment of a number that stands in an address, without who is on its lists.
  func segment(_ number: String?) throws(QuestionForm.Problem) -> Segment? {
    try saved(number)?.segment
  }

  private func saved(
    _ number: String?
  ) throws(QuestionForm.Problem) -> (segment: Segment, name: String)? {
    guard let number, !number.isEmpty else { return nil }
    let saved: Saved?
    do { saved = try Int64(number).flatMap(segment) } catch {
      throw QuestionForm.Problem("segment", "The segments cannot be read right now: \(error)")
    }
    guard let saved else {
      throw QuestionForm.Problem(
        "segment",
        "There is no segment “\(number.prefix(100))”; it may have been removed."
      )
    }
    guard let segment = Segment(saved.definition) else {
      throw QuestionForm.Problem(
        "segment",
        "The segment “\(saved.name)” cannot be read by this program; save it anew."
      )
    }
    return (segment, saved.name)
  }

  /// What the segment of a number is called; nil where there is none.
  func name(of number: String?) throws(QuestionForm.Problem) -> String? {
    do { return try number.flatMap { Int64($0) }.flatMap(segment)?.name } catch {
      throw QuestionForm.Problem("segment", "The segments cannot be read right now: \(error)")
    }
  }

  /// A segment with those who are on its lists.
  ///
  /// - Throws: a problem with `segment` when it asks for a list that is not there.
  public func filter(
    _ segment: Segment,
    name: String = "",
    nowMs: Int64
  ) throws(QuestionForm.Problem) -> SegmentFilter {
    SegmentFilter(segment, try setting(for: segment.rules, nowMs: nowMs), name: name)
  }

  /// What some rules are asked with.
  ///
  /// - Throws: a problem with `segment` when one asks for a list that is not there.
  public func setting(
    for rules: [PersonRule],
    nowMs: Int64
  ) throws(QuestionForm.Problem) -> PeopleSetting {
    var setting = PeopleSetting(nowMs: nowMs)
    for list in Set(rules.compactMap(\.list)) {
      do { setting.lists[list] = try members(list) } catch {
        throw QuestionForm.Problem("segment", "The lists cannot be read right now: \(error)")
      }
      guard setting.lists[list] != nil else {
        throw QuestionForm.Problem(
          "segment",
          "There is no list \(list); it may have been removed."
        )
      }
    }
    return setting
  }
}
