import FootfallCore
import Testing

@Suite struct `Revenue` {
  typealias Money = FootfallCore.Revenue

  @Test func `price, quantity, product, type, currency and a property of one's own`() {
    var revenue = Money(price: 3.99, quantity: 3)
    revenue.productID = "com.example.pro_annual"
    revenue.revenueType = "subscription"
    revenue.currency = "USD"
    revenue.properties = ["coupon": "FALL26"]
    #expect(
      revenue.content
        == EventContent(
          "revenue_amount",
          [
            "$price": .double(3.99), "$quantity": 3, "$productId": "com.example.pro_annual",
            "$revenueType": "subscription", "$currency": "USD", "coupon": "FALL26",
          ]
        )
    )
    #expect(revenue.total.map { ($0 * 100).rounded() } == 1_197)
  }

  @Test func `without a price there is no event`() {
    var revenue = Money(quantity: 2)
    revenue.revenue = 10
    #expect(revenue.content == nil && revenue.total == nil)
    #expect(Money(price: .nan).content == nil)
  }

  @Test func `AMP R3: a quantity of nothing is ignored`() {
    var revenue = Money(price: 1)
    revenue.quantity = 5
    revenue.quantity = 0
    revenue.quantity = -2
    #expect(revenue.quantity == 5)
  }

  @Test func `AMP R4: an empty product is ignored`() {
    var revenue = Money(price: 1)
    revenue.productID = "good"
    revenue.productID = ""
    #expect(revenue.productID == "good")
  }

  @Test func `AMP R5: all eight reserved keys`() {
    var revenue = Money(price: 50.5, quantity: 100)
    revenue.revenue = 5_050
    revenue.productID = "p"
    revenue.revenueType = "t"
    revenue.currency = "EUR"
    revenue.receipt = "r"
    revenue.receiptSignature = "s"
    #expect(
      revenue.content?.properties == [
        "$price": .double(50.5), "$quantity": 100, "$revenue": .double(5_050), "$productId": "p",
        "$revenueType": "t", "$currency": "EUR", "$receipt": "r", "$receiptSig": "s",
      ]
    )
    #expect(revenue.total == 5_050)
  }

  @Test func `AMP R7: a reserved key of one's own gives way`() {
    var revenue = Money(price: 2)
    revenue.properties = ["$price": 1, "$currency": "CHF"]
    #expect(
      revenue.content?.properties == ["$price": .double(2), "$quantity": 1, "$currency": "CHF"]
    )
  }

  @Test func `a refund, a total of its own, and nil that changes nothing`() {
    #expect(Money(price: -4.99).total == -4.99)
    var revenue = Money(price: 3, quantity: 2)
    revenue.revenue = 10
    revenue.price = nil
    revenue.revenue = nil
    #expect(revenue.content?.properties["$revenue"] == .double(10))
    #expect(revenue.total == 10 && revenue.price == 3)
  }
}
