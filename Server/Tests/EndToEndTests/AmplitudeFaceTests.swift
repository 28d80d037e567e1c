import Catalog
import EventStore
import FootfallAmplitude
import Foundation
import Insights
import ServerApp
import Testing

/// Apps that call the SDK by Amplitude's names, against the server.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `Apps by Amplitude's names` {
  private static let key = "0123456789abcdef0123456789abcdef"

  /// An app's client whose files are the test's own, and what it is told of each event.
  private func client(
    _ server: TestServer
  ) throws -> (amplitude: Amplitude, told: AsyncStream<String>) {
    _ = try server.server.catalog.adoptKey(
      project: server.project,
      kind: .amplitude,
      value: Self.key
    )
    setenv("XDG_STATE_HOME", server.folder + "/state", 1)
    let (told, continuation) = AsyncStream.makeStream(of: String.self)
    let amplitude = Amplitude(
      configuration: Configuration(
        apiKey: Self.key,
        callback: { event, code, message in
          continuation.yield("\(event.eventType): \(code) \(message)")
        },
        autocapture: [],
        baseUrl: server.server.localAddress
      )
    )
    return (amplitude, told)
  }

  /// What an app earns by one call, and what a dashboard makes of it.
  struct Sale: Sendable, CustomTestStringConvertible {
    let scenario: String
    var price: Double
    var quantity: Int?
    var total: Double?
    let micros: Int64

    var testDescription: String { scenario }
  }

  @Test(
    "a sale is what the document says it is",
    arguments: [
      Sale(scenario: "AMP-R1, AMP-X10", price: 3.99, quantity: 3, micros: 11_970_000),
      Sale(scenario: "AMP-R6", price: -4.99, micros: -4_990_000),
      Sale(scenario: "AMP-R8", price: 3.99, micros: 3_990_000),
      Sale(scenario: "AMP-R9", price: 3, quantity: 2, total: 10, micros: 10_000_000),
    ]
  )
  func revenue(sale: Sale) async throws {
    let server = try TestServer()
    defer { server.stop() }
    let (amplitude, told) = try client(server)
    let revenue = FootfallAmplitude.Revenue()
    revenue.productId = "com.example.lamp"
    revenue.price = sale.price
    if let quantity = sale.quantity { revenue.quantity = quantity }
    revenue.revenue = sale.total
    revenue.revenueType = "purchase"
    revenue.currency = "USD"
    revenue.properties = ["coupon": "AUTUMN"]
    revenue.setReceipt(receipt: "R", receiptSignature: "S")
    amplitude.revenue(revenue: revenue)
    amplitude.flush()
    #expect(await told.first { _ in true } == "revenue_amount: 200 Successfully send event")

    let event = try #require(try server.events(1).first)
    #expect(event.name == "revenue_amount" && event.deviceID == amplitude.getDeviceId())
    let properties =
      try JSONSerialization.jsonObject(with: Data(event.properties.utf8)) as? [String: Any]
    #expect(properties?["$price"] as? Double == sale.price)
    #expect(properties?["$quantity"] as? Int == sale.quantity ?? 1)
    #expect(properties?["$revenue"] as? Double == sale.total)
    #expect(properties?["$productId"] as? String == "com.example.lamp")
    #expect(properties?["$revenueType"] as? String == "purchase")
    #expect(properties?["$currency"] as? String == "USD")
    #expect(properties?["$receipt"] as? String == "R" && properties?["$receiptSig"] != nil)
    #expect(properties?["coupon"] as? String == "AUTUMN")
    let day: Int64 = 86_400_000
    let answer = try RevenueTrend(
      Scope(
        project: server.project,
        fromMs: event.timestampMs - day,
        toMs: event.timestampMs + day
      ),
      axis: TimeAxis(.day, timeZone: .gmt)
    ).run(on: server.server.store)
    #expect(answer.lines.map(\.all.micros) == [sale.micros])
  }

  @Test func `every kind of call arrives, in order, and is told as delivered`() async throws {
    let server = try TestServer()
    defer { server.stop() }
    let (amplitude, told) = try client(server)
    amplitude.setUserId(userId: "user-12345")
    amplitude.track(
      eventType: "Lamp Lit",
      eventProperties: ["watts": 7, "room": ["name": "study"]]
    )
    amplitude.identify(identify: Identify().add(property: "lit", value: 1))
    amplitude.setGroup(groupType: "house", groupName: "15")
    amplitude.track(event: BaseEvent(eventType: "Lamp Dimmed", groups: ["house": "15"]))
    amplitude.flush()
    var lines: [String] = []
    for await line in told {
      lines.append(line)
      if lines.count == 4 { break }
    }
    #expect(
      lines
        == ["Lamp Lit", "$identify", "$identify", "Lamp Dimmed"].map {
          "\($0): 200 Successfully send event"
        }
    )
    let events = try server.tracked(2)
    #expect(events.map(\.name) == ["Lamp Lit", "Lamp Dimmed"])
    #expect(events.allSatisfy { $0.userID == "user-12345" })
    #expect(events[1].groups == #"{"house":["15"]}"# || events[1].groups == #"{"house":"15"}"#)
  }
}
