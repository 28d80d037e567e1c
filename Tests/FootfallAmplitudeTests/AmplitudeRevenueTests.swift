import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallTesting
import Testing

/// What the client sends; what a dashboard makes of it is the server's to show.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude: revenue` {
  let app = AmplitudeApp()

  /// The properties of the one revenue that is sent.
  private func sent(_ revenue: FootfallCore.Revenue) async throws -> JSONFields {
    app.client.revenue(revenue)
    return try await app.event("revenue_amount")
  }

  @Test func `AMP R1: fields and properties of a purchase`() async throws {
    var revenue = FootfallCore.Revenue(price: 3.99, quantity: 3)
    revenue.productID = "com.example.pro_annual"
    revenue.revenueType = "subscription"
    revenue.currency = "USD"
    revenue.properties = ["coupon": "FALL26"]
    #expect(
      try await sent(revenue)["event_properties"]
        == #"{"$currency":"USD","$price":3.99,"$productId":"com.example.pro_annual","#
        + #""$quantity":3,"$revenueType":"subscription","coupon":"FALL26"}"#
    )
  }

  @Test func `AMP-R3: a quantity of nothing or less is ignored`() async throws {
    var revenue = FootfallCore.Revenue(price: 1)
    for quantity in [5, 0, -2] { revenue.quantity = quantity }
    #expect(revenue.quantity == 5)
    #expect(try await sent(revenue)["event_properties", "$quantity"] == "5")
  }

  @Test func `AMP-R4: an empty product is ignored`() async throws {
    var revenue = FootfallCore.Revenue(price: 1)
    for product in ["good", ""] { revenue.productID = product }
    #expect(revenue.productID == "good")
    #expect(try await sent(revenue)["event_properties", "$productId"] == #""good""#)
  }

  @Test func `AMP R6: a refund is sent`() async throws {
    let event = try await sent(FootfallCore.Revenue(price: -4.99))
    #expect(event["event_properties"] == #"{"$price":-4.99,"$quantity":1}"#)
  }

  @Test func `AMP R8: a price alone is one piece`() async throws {
    let event = try await sent(FootfallCore.Revenue(price: 3.99))
    #expect(event["event_properties"] == #"{"$price":3.99,"$quantity":1}"#)
  }

  @Test func `AMP R9: a total travels beside price and quantity`() async throws {
    var revenue = FootfallCore.Revenue(price: 3, quantity: 2)
    revenue.revenue = 10
    let event = try await sent(revenue)
    #expect(event["event_properties"] == #"{"$price":3,"$quantity":2,"$revenue":10}"#)
  }
}
