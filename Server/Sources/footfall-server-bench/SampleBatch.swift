import Foundation

/// A request body such as the SDK sends: 50 events of an app, always the same bytes.
enum SampleBatch {
  /// The body as JSON.
  static func json(events count: Int = 50) -> [UInt8] {
    var text = """
      {"client":{"library":"footfall-swift/1.0.0","platform":"iOS","os":"iOS 19.1",\
      "model":"iPhone17,2","app":"4.2.0","build":"881","locale":"en_GB"},"events":[
      """
    for index in 0..<count {
      if index > 0 { text += "," }
      text += event(index)
    }
    return Array((text + "]}").utf8)
  }

  /// A request as Amplitude's Swift client sends it: every unset scalar as `null`, keys sorted.
  static func amplitude(events count: Int = 50, key: String) -> [UInt8] {
    let events = (0..<count).map { index in
      """
      {"adid":null,"android_id":null,"app_version":"4.2.0","carrier":null,"city":null,"country":null,\
      "currency":null,"device_brand":null,"device_id":"0A1B2C3D-0000-4000-8000-000000000001",\
      "device_manufacturer":"Apple","device_model":"iPhone15,2","dma":null,"event_id":\(index),\
      "event_properties":{"title":"Here Comes the Sun","duration_s":185,"genres":["rock","pop"],\
      "price":3.99,"is_gift":false},"event_type":"Song Played","idfa":null,"idfv":null,\
      "insert_id":"5F0B7C9E-1111-4222-8333-\(100_000_000_000 + index)","ip":"$remote",\
      "language":"en-GB","library":"amplitude-swift/1.18.6","location_lat":null,"location_lng":null,\
      "os_name":"ios","os_version":"17.4","partner_id":null,"platform":"iOS","price":null,\
      "product_id":null,"quantity":null,"region":null,"revenue":null,"revenue_type":null,\
      "session_id":1764581000000,"time":\(1_764_581_500_000 + index),"user_id":"user-12345",\
      "version_name":"1.2"}
      """
    }
    return Array(
      (#"{"api_key":"\#(key)","client_upload_time":"2025-12-01T09:31:40.000Z","events":["#
        + events.joined(separator: ",") + "]}").utf8
    )
  }

  /// A request as the AWS SDK for iOS sends it: one endpoint with its whole profile, and its events.
  static func pinpoint(events count: Int = 50) -> [UInt8] {
    let session =
      #"{"Id":"89abcdef-ABCDEF01-20251201-093000000","StartTimestamp":"2025-12-01T09:30:00.000Z"}"#
    let events = (0..<count).map { index in
      """
      "5F0B7C9E-1111-4222-8333-\(100_000_000_000 + index)":{"AppPackageName":"com.example.notes",\
      "AppTitle":"Notes","AppVersionCode":"4.2.0","Attributes":{"screen":"Library/\(index % 11)",\
      "title":"\(titles[index * 3 % titles.count])"},"ClientSdkVersion":"2.38.1",\
      "EventType":"\(names[index % names.count])","Metrics":{"duration_s":\(120 + index * 13 % 300),\
      "price":\(index % 7).99},"SdkName":"aws-sdk-iOS","Session":\(session),\
      "Timestamp":"2025-12-01T09:31:\(10 + index % 50).123Z"}
      """
    }
    return Array(
      """
      {"BatchItem":{"3F2A9C1E-7B64-4D0F-9A58-0C1DABCDEF01":{"Endpoint":{"Address":"","Attributes":\
      {"interests":["science","travel"]},"ChannelType":"APNS","Demographic":{"AppVersion":"4.2.0",\
      "Locale":"en_GB","Make":"apple","Model":"iPhone17,2","Platform":"iOS","PlatformVersion":"19.1",\
      "Timezone":"Europe/London"},"EffectiveDate":"2025-12-01T09:30:00.000Z","OptOut":"NONE",\
      "User":{"UserId":"user-12345"}},"Events":{\(events.joined(separator: ","))}}}}
      """.utf8
    )
  }

  private static let names = ["Song Played", "Screen Viewed", "Note Saved", "Search", "Checkout"]
  private static let titles = [
    "Here Comes the Sun", "A Day in the Life", "Blackbird", "Let It Be", "Strawberry Fields",
  ]

  /// About 400 bytes; ids are the same in every request, which only the loader looks at.
  static func event(_ index: Int) -> String {
    let id = String(
      format: "0197a1b2-c3d4-7%03x-8%03x-%012x",
      index,
      index * 7,
      index &* 982_451_653
    )
    let ts = 1_764_581_400_000 + index * 1_733
    return """
      {"id":"\(id)","seq":\(1_000 + index),"name":"\(names[index % names.count])","ts":\(ts),\
      "device_id":"3f2a9c1e-7b64-4d0f-9a58-0c1d2e3f4a5b","user_id":"user-12345",\
      "session_id":1764581000000,"props":{"title":"\(titles[index * 3 % titles.count])",\
      "duration_s":\(120 + index * 13 % 300),"genres":["rock","pop"],"price":\(index % 7).99,\
      "is_gift":\(index % 3 == 0),"screen":"Library/\(index % 11)","query":null}}
      """
  }
}
