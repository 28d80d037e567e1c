import FootfallKinesis
import Testing

@Suite struct `Recorders: one import` {
  @Test func `AWS-C16: one import has both recorders and tasks`() {
    let found: [Any.Type] = [
      AWSKinesisRecorder.self, AWSFirehoseRecorder.self, AWSTask<AnyObject>.self,
      AWSServiceConfiguration.self, AWSRecorderDrop.self, AWSRecorderDrop.Reason.self,
    ]
    #expect(Set(found.map { "\($0)" }).count == 6)
  }

  @Test func `AWS-C19 AWS-C20: each class hands out one recorder of its own`() {
    let kinesisRecorder = AWSKinesisRecorder.default()
    let firehoseRecorder = AWSFirehoseRecorder.default()
    #expect(kinesisRecorder === AWSKinesisRecorder.default())
    #expect(firehoseRecorder === AWSFirehoseRecorder.default())
    #expect(kinesisRecorder !== firehoseRecorder)
  }
}
