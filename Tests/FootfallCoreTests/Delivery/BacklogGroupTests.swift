import FootfallCore
import Testing

@Suite struct `What goes when a backlog is too long` {
  /// `A` is the head of group a, `a` another event of it, `.` one of no group.
  private func left(of text: String, _ limit: Int) -> String {
    let groups = text.map { letter -> BacklogGroup? in
      letter == "." ? nil : BacklogGroup(letter.lowercased(), isHead: letter.isUppercase)
    }
    let gone = Set(BacklogGroup.excess(of: groups, over: limit))
    return String(text.enumerated().filter { !gone.contains($0.offset) }.map(\.element))
  }

  @Test(arguments: [
    (".Aaa.Bbbb", 9, ".Aaa.Bbbb"), (".Aaa.Bbbb", 8, "..Bbbb"), (".Aaa.Bbbb", 6, "..Bbbb"),
    // The newest group loses single events, and its head last.
    (".Aaa.Bbbb", 4, "..Bb"), (".Aaa.Bbbb", 3, "..B"), (".Aaa.Bbbb", 2, ".B"),
    ("AaBbCc", 3, "Cc"), ("AaBbCc", 5, "BbCc"), ("ABab", 3, "Bb"),
    // Without heads, single events.
    ("aaabb", 3, "abb"), ("aaaBb", 3, "aBb"), ("...", 1, "."), ("", 0, ""), ("Aa", 0, ""),
  ])
  func `whole groups, the oldest first, and never the newest before others`(
    events: String,
    limit: Int,
    expected: String
  ) {
    #expect(left(of: events, limit) == expected)
  }
}
