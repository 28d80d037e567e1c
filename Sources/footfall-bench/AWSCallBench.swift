import Footfall
import FootfallAWS
import FootfallKinesis
import FootfallPinpoint
import FootfallPlatform
import Foundation

extension Benchmark {
  /// An event by Pinpoint's names against the native call, on the same client.
  static let pinpoint = Benchmark(
    name: "pinpoint",
    summary: "an event by Pinpoint's names against the native call, put together and recorded"
  ) {
    let scratch = try BenchFolder("pinpoint")
    defer { scratch.remove() }
    let configuration = AWSPinpointConfiguration(appId: "0123456789abcdef", launchOptions: nil)
    configuration.serviceConfiguration = AWSCallBench.service
    configuration.enableTargeting = false
    configuration.maxStorageSize = 1 << 30
    let world = NamedCallBench.world(in: scratch.path)
    let pinpoint = AWSPinpoint(configuration, among: PinpointClients { world })
    defer { pinpoint.footfall.shutdown(limitSeconds: 0) }
    let analytics = pinpoint.analyticsClient
    return NamedCallBench.measureLiterals("pinpoint.literal", pinpoint.footfall) { number in
      analytics.record(AWSCallBench.event(number, analytics))
    }
      + NamedCallBench.measure(
        "pinpoint.call",
        pinpoint.footfall,
        { AWSCallBench.event($0, analytics) },
        { analytics.record($0) }
      )
  }

  /// A record for a stream against a native event of the same content.
  static let kinesis = Benchmark(
    name: "kinesis",
    summary: "a record for a stream saved by Kinesis's names, against the native call"
  ) {
    let (scratch, other) = (try BenchFolder("kinesis"), try BenchFolder("native"))
    defer {
      scratch.remove()
      other.remove()
    }
    let recorder = AWSKinesisRecorder(
      AWSCallBench.service,
      in: NamedCallBench.world(in: scratch.path)
    )
    recorder.diskByteLimit = 0
    let native = try TrackBench.client(in: other.path)
    defer { native.shutdown(limitSeconds: 0) }
    let data = Data(AWSCallBench.record.utf8)
    return NamedCallBench.measureLiterals("kinesis.call", native) { _ in
      recorder.saveRecord(data, streamName: "songs", partitionKey: "one")
    } settle: {
      recorder.removeAllRecords().waitUntilFinished()
    }
  }
}

enum AWSCallBench {
  static var service: AWSServiceConfiguration? {
    AWSServiceConfiguration(
      region: .USEast1,
      credentialsProvider: AWSStaticCredentialsProvider(accessKey: "AKIDBENCH", secretKey: "bench")
    )
  }

  /// The native call's event, as a line of JSON.
  static let record =
    #"{"event":"Song Played","title":"Here Comes the Sun","duration_s":185,"price":9.99,"#
    + #""gift":false,"genre":"rock"}"#

  /// The native call's event: attributes are texts, metrics numbers.
  @inline(__always)
  static func event(
    _ number: Int,
    _ analytics: AWSPinpointAnalyticsClient
  ) -> AWSPinpointEvent {
    let event = analytics.createEvent(withEventType: "Song Played")
    event.addAttribute("Here Comes the Sun", forKey: "title")
    event.addMetric(NSNumber(value: number), forKey: "duration_s")
    event.addMetric(9.99, forKey: "price")
    event.addMetric(NSNumber(value: false), forKey: "gift")
    event.addAttribute("rock", forKey: "genre")
    return event
  }
}
