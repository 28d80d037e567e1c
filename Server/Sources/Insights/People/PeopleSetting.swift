/// What rules about people are asked with: when it is, and who is on the imported lists.
public struct PeopleSetting: Sendable, Hashable {
  /// Now, in milliseconds since 1970.
  public var nowMs: Int64
  /// The numbers of users and devices (`PersonNumber`) on each list that is asked for; a list that is
  /// missing is empty.
  public var lists: [Int64: [Int64]]

  /// A setting from its parts.
  public init(nowMs: Int64, lists: [Int64: [Int64]] = [:]) {
    self.nowMs = nowMs
    self.lists = lists
  }

  /// A moment so many days of 24 hours ago.
  func daysAgo(_ days: Int) -> Int64 { nowMs - Int64(days) * 86_400_000 }
}
