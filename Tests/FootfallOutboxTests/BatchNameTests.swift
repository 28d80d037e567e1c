import Testing

@testable import FootfallOutbox

@Suite struct `Batch name` {
  @Test(arguments: ["000000000042-50-18234.batch", "1000000000000-1-1.unsupported"])
  func `a name is read as it was written`(name: String) {
    #expect(BatchName(fileName: name)?.fileName == name)
  }

  @Test(arguments: [
    "42-50-18234.batch", "000000000042-50-18234", "000000000042-50-18234.batch.draft",
    "000000000042-0-1.batch", "000000000042-1-0.batch", "000000000042--1-1.batch",
    "000000000042-+1-1.batch", "18446744073709551615-1-1.batch", "9223372036854775807-1-1.batch",
    "000000000042-9223372036854775807-1.batch", "000000000042-1-9223372036854775807.batch",
  ])
  func `anything else, and numbers that nobody gave, is not ours`(name: String) {
    #expect(BatchName(fileName: name) == nil)
  }
}
