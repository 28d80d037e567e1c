import EventRecord
import EventStore
import Insights
import Testing

@Suite struct `A file of a list` {
  private func read(_ text: String) throws -> ListFile.Output {
    try ListFile(Array(text.utf8)) { _, _ in nil }.read(project: 1)
  }

  @Test func `is read as CSV with its lines told that cannot be`() throws {
    let file = """
      user_id,plan\r
      ada,pro\r
      "gra""ce, h.",free\r
      ,free\r
      one,two,three\r
      "open,pro
      last,"of
      all"
      """
    let read = try read(file)
    #expect(read.lines.map(\.userID) == ["ada", "gra\"ce, h.", "last"])
    #expect(read.lines.map(\.number) == [2, 3, 7])
    #expect(read.failures.map(\.line) == [4, 5, 6])
    #expect(read.failed == 3 && read.count == 3)
    #expect(read.members == Set(read.lines.map { PersonNumber.user(project: 1, id: $0.userID) }))
  }

  @Test func `takes names with dots and names that come again as Pinpoint means them`() throws {
    let head =
      "Id,User.UserId,User.UserAttributes.interests,User.UserAttributes.interests,Demographic.Make"
    let read = try read(head + "\ne1,ada,science,music,Apple\ne2,,,music,\n")
    #expect(read.count == 2)
    #expect(
      read.lines[0].members["User"]
        == .object([
          "UserId": .text("ada"),
          "UserAttributes": .object(["interests": .list([.text("science"), .text("music")])]),
        ])
    )
    #expect(
      read.lines[1].members["User"]
        == .object(["UserAttributes": .object(["interests": .text("music")])])
    )
    #expect(read.members.contains(PersonNumber.device(project: 1, id: "e1")))
    #expect(read.members.contains(PersonNumber.user(project: 1, id: "ada")))
  }

  @Test func `is read as lines of JSON`() throws {
    let read = try read(
      #"{"Id":"e1","User":{"UserId":"ada"}}"# + "\n\n[]\n" + #"{"user_id":7}"# + "\n{}\n"
    )
    #expect(read.lines.map(\.deviceID) == ["e1", ""] && read.lines.map(\.userID) == ["ada", "7"])
    #expect(read.failures.map(\.line) == [3, 5])
  }

  @Test(arguments: ["", "  \n ", "name,plan\nada,pro\n"])
  func `that names nobody is none`(text: String) {
    #expect(throws: ListFile.Problem.self) { try read(text) }
  }

  @Test func `with bytes that are no text is none, and gzip that cannot be unpacked`() {
    for bytes in [[0xff, 0xfe, 0x00], [0x1f, 0x8b, 0x00]] as [[UInt8]] {
      #expect(throws: ListFile.Problem.self) {
        try ListFile(bytes) { _, _ in nil }.read(project: 1)
      }
    }
  }

  @Test func `lists everyone once and the first hundred lines that fail`() throws {
    let bad = (0..<150).map { _ in ",\n" }.joined()
    let read = try read("user_id,device_id\nada,\nada,\n,d\n" + bad)
    #expect(read.count == 2 && read.failed == 150 && read.failures.count == 100)
  }
}
