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

  private static let names = ["Song Played", "Screen Viewed", "Note Saved", "Search", "Checkout"]
  private static let titles = [
    "Here Comes the Sun", "A Day in the Life", "Blackbird", "Let It Be", "Strawberry Fields",
  ]

  /// About 400 bytes; ids are the same in every request, which only the loader looks at.
  private static func event(_ index: Int) -> String {
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
