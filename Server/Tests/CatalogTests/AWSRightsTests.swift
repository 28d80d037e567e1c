import Testing

@testable import Catalog

@Suite struct `Rights of AWS keys` {
  @Test(arguments: [
    ("", "", true), ("*", "", true), ("?", "", false), ("a", "a", true), ("a", "A", false),
    ("apps/1*", "apps/1/events", true), ("apps/1*", "apps/2/events", false), ("*/x", "a/b/x", true),
    ("a*b*c", "a12b34c", true), ("a*b*c", "a12c34b", false), ("a?c", "abc", true),
    ("a?c", "ac", false), ("**", "anything", true), ("a*", "a", true), ("*a*a*", "aa", true),
    ("é*", "é1", true),
  ])
  func `a star stands for any letters`(pattern: String, text: String, fits: Bool) {
    #expect(AWSRights.matches(pattern, text) == fits)
  }

  @Test func `an action and a resource must both be allowed`() {
    let rights = AWSRights(
      actions: ["mobiletargeting:Put*", "kinesis:PutRecords"],
      resources: ["arn:aws:mobiletargeting:*:111122223333:apps/1*", "stream/clicks"]
    )
    #expect(rights.allow("mobiletargeting:PutEvents", on: ["apps/1/events"]))
    #expect(rights.allow("MobileTargeting:putevents", on: ["apps/1/events"]))
    #expect(!rights.allow("mobiletargeting:GetApp", on: ["apps/1"]))
    #expect(!rights.allow("mobiletargeting:PutEvents", on: ["apps/2/events"]))
    #expect(rights.allow("mobiletargeting:PutEvents", on: ["apps/2", "apps/1"]))
    #expect(rights.allow("kinesis:PutRecords", on: ["stream/clicks"]))
    #expect(!rights.allow("kinesis:PutRecords", on: ["stream/clicks2"]))
    #expect(AWSRights.all.allow("firehose:PutRecord", on: ["deliverystream/x"]))
  }
}
