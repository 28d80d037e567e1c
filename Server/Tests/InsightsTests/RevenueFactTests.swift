import EventStore
import Testing

@Suite struct `What an event tells of money` {
  @Test(
    arguments: [
      // Properties of the revenue call: a total replaces price times quantity.
      (#"{"$price":3.99,"$quantity":3}"#, "", 11_970_000),
      (#"{"$price":3.99}"#, "", 3_990_000),
      (#"{"$price":3.99,"$quantity":3,"$revenue":10}"#, "", 10_000_000),
      (#"{"$price":-3.99,"$quantity":2}"#, "", -7_980_000),
      (#"{"$revenue":0.000001}"#, "", 1),
      // Fields of a plain event: price times quantity goes before the total.
      ("", #"{"price":2.5,"quantity":3,"revenue":9}"#, 7_500_000),
      ("", #"{"price":2.5,"revenue":9}"#, 9_000_000),
      ("", #"{"price":2.5}"#, 2_500_000),
      (#"{"title":"x"}"#, #"{"revenue":-1}"#, -1_000_000),
      // A purchase of Pinpoint's.
      (#"{"_item_price":1,"_quantity":2,"_currency":"USD"}"#, "", 2_000_000),
      // None of it.
      (#"{"$price":"3.99"}"#, "", nil), ("", "", nil), ("[]", "{", nil),
      (#"{"$revenue":1e300}"#, "", nil), (#"{"$quantity":3}"#, #"{"quantity":3}"#, nil),
    ] as [(String, String, Int64?)]
  )
  func `amounts are exact and follow each protocol's rule`(
    properties: String,
    context: String,
    micros: Int64?
  ) {
    #expect(RevenueFact(properties: properties, context: context)?.amountMicros == micros)
  }

  @Test func `currency, product and type are one thing however they are spelled`() {
    let call = RevenueFact(
      properties: #"{"$price":1,"$currency":"usd","$productId":"p","$revenueType":"t"}"#,
      context: ""
    )
    let plain = RevenueFact(
      properties: "",
      context: #"{"price":1,"currency":"USD","productId":"p","revenueType":"t"}"#
    )
    #expect(call == plain)
    #expect(call?.currency == "USD")
    #expect(call?.product == "p")
    #expect(call?.type == "t")
  }
}
