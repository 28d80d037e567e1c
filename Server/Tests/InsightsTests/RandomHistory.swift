import EventRecord
import EventStore

/// A reproducible history: few names, people and moments, so that everything meets everything.
struct RandomHistory: RandomNumberGenerator {
  private var state: UInt64
  static let start: Int64 = 1_774_000_000_000  // 20 March 2026, before clocks change in Europe
  static let day: Int64 = 86_400_000

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  static let names = [
    "Opened", "session_start", "Played", "Gekauft ✓", "it's; DROP TABLE events--", "a", "b", "c",
    "d", "Z", "", "app_crashed",
  ]
  static let people = ["user-1", "user-2", "device-1", "device-2", "'", ""]

  static let operations = [
    "", "", #"{"$set":{"plan":"pro"}}"#, #"{"$add":{"n":1},"$append":{"l":[1,"a"]}}"#,
    #"{"$unset":{"plan":"-"},"$setOnce":{"plan":"free"}}"#, #"{"$clearAll":"-"}"#,
  ]

  static let properties = [
    "", #"{"n":1}"#, #"{"$price":3.99,"$quantity":3}"#, #"{"$revenue":-5,"$currency":"EUR"}"#,
    #"{"$price":1,"$receipt":"r","$receiptSig":"s","$revenueType":"a","$currency":"USD"}"#,
    #"{"_item_price":0.1,"_quantity":2,"_currency":"SEK"}"#, #"{"title":"\"$price\""}"#,
    #"{"n":0.25,"live":true,"tags":["a~b/c",2,"b"]}"#, #"{"n":"1","tags":["b"],"a/b~c":"x"}"#,
    #"{"n":-3,"nothing":null,"tags":[]}"#,
    #"{"n":7,"tags":["b",null,2,2.0,"b",{"a":1},[3]]}"#, #"{"tags":[null]}"#,
    #"{"app_state":"background","engaged_ms":250}"#, #"{"app_state":"active","engaged_ms":1.5}"#,
    #"{"$price":2,"$productId":"p","$currency":"EUR"}"#,
  ]

  mutating func events(_ count: Int) -> [StoredEvent] {
    (0..<count).map { number in
      let own = moment()
      let correction = pick([0, 0, 0, 3_600_000, -90_000] as [Int64])
      return StoredEvent(
        key: EventKey(high: next(), low: next()),
        project: UInt32(pick([1, 1, 1, 2])),
        kind: pick([.event, .event, .event, .identify, .groupIdentify]),
        isTest: pick([false, false, true]),
        name: pick(Self.names),
        timestampMs: own,
        correctedMs: own + correction,
        receivedMs: Self.start + Int64(pick([0, 1, 2, 500])),
        sequence: Int64(pick([0, 1, 2])),
        id: "id-\(number)",
        deviceID: pick(Self.people),
        userID: pick(Self.people),
        sessionID: pick(["", "1774000000000"]),
        properties: pick(Self.properties),
        groups: pick([
          "", "", #"{"org":"15"}"#, #"{"org":["15",16],"team":"a"}"#, #"{"org":["16",null,16]}"#,
        ]),
        operations: pick(Self.operations),
        context: pick([
          "", "", #"{"price":2.5,"quantity":3,"revenue":9,"currency":"eur"}"#,
          #"{"platform":null,"version_name":"5","time_zone":"America/Los_Angeles"}"#,
          #"{"time_zone":"Asia/Kathmandu","ChannelType":"GCM"}"#, #"{"time_zone":"Nowhere/Town"}"#,
        ]),
        client: pick(["", #"{"platform":"iOS","app":"4.2.0"}"#, #"{"platform":"Linux"}"#])
      )
    }
  }

  /// Somewhere in twenty days, often on the edge of a minute, an hour or a day.
  mutating func moment() -> Int64 {
    let step: Int64 = pick([1, 60_000, 900_000, 3_600_000, Self.day])
    let somewhere = Self.start + Int64.random(in: 0..<20 * Self.day, using: &self)
    return somewhere / step * step + pick([0, 0, -1, 1] as [Int64])
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }

  mutating func maybe<Element>(_ elements: [Element]) -> Element? {
    Bool.random(using: &self) ? pick(elements) : nil
  }
}
