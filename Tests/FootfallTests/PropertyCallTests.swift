import Footfall
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Properties of people and groups` {
  let world = World()

  /// What was sent after some calls.
  private func sent(_ calls: (FootfallClient) -> Void) async throws -> [Sent] {
    let client = try world.client()
    calls(client)
    await client.flush()
    return try world.sent
  }

  @Test func `AMP-I1: operations travel by name, with one key each`() async throws {
    let events = try await sent {
      $0.identify(
        .set("plan", "pro").setOnce("first_seen_at", "2026-10-26").add("login_count", 1)
          .append("visited_sections", "billing")
      )
    }
    #expect(events.map(\.name) == ["$identify"])
    #expect(
      events.first?["ops"]
        == #"{"$add":{"login_count":1},"$append":{"visited_sections":"billing"},"#
        + #""$set":{"plan":"pro"},"$setOnce":{"first_seen_at":"2026-10-26"}}"#
    )
  }

  @Test func `AMP-I5, AMP-I6: unset and several sets`() async throws {
    let events = try await sent {
      $0.identify(.unset("p"))
      $0.identify(.set("plan", "pro").set("theme", "dark"))
    }
    #expect(
      events.map { $0["ops"] }
        == [#"{"$unset":{"p":"-"}}"#, #"{"$set":{"plan":"pro","theme":"dark"}}"#]
    )
  }

  @Test func `AMP-I12: numbers are exactly those added`() async throws {
    let events = try await sent { client in
      client.identify(.add("a", 1).add("b", 9_007_199_254_740_993).add("c", 0.5).add("d", -2.5))
    }
    #expect(events.first?["ops"] == #"{"$add":{"a":1,"b":9007199254740993,"c":0.5,"d":-2.5}}"#)
  }

  @Test func `AMP-I13: a second call may change the same property`() async throws {
    let events = try await sent {
      $0.identify(.set("p", 1))
      $0.identify(.add("p", 1))
    }
    #expect(events.map { $0["ops"] } == [#"{"$set":{"p":1}}"#, #"{"$add":{"p":1}}"#])
    #expect(world.lines(.warning).isEmpty)
  }

  @Test(
    arguments: [
      ("$append", IdentifyOperations.append), ("$prepend", IdentifyOperations.prepend),
      ("$postInsert", IdentifyOperations.postInsert), ("$preInsert", IdentifyOperations.preInsert),
      ("$remove", IdentifyOperations.remove),
    ] as [(String, @Sendable (String, PropertyValue) -> IdentifyOperations)]
  )
  func `AMP-I14: lists change by a value or by a list of values`(
    name: String,
    make: @Sendable (String, PropertyValue) -> IdentifyOperations
  ) async throws {
    let events = try await sent {
      $0.identify(make("p", "a"))
      $0.identify(make("p", ["a", "b"]))
    }
    #expect(
      events.map { $0["ops"] } == [#"{"\#(name)":{"p":"a"}}"#, #"{"\#(name)":{"p":["a","b"]}}"#]
    )
  }

  @Test func `nothing to change is no event and no loss`() async throws {
    let events = try await sent {
      $0.identify(IdentifyOperations())
      $0.identifyGroup("orgId", "15", IdentifyOperations())
    }
    #expect(events.isEmpty && world.lines(.warning).isEmpty)
  }

  @Test func `AMP G1, AMP-G2: groups are set as an identify, one as text and several as a list`()
    async throws
  {
    let events = try await sent {
      $0.setGroup("orgId", "15")
      $0.setGroup("sport", ["tennis", "soccer"])
    }
    #expect(events.map(\.name) == ["$identify", "$identify"])
    #expect(
      events.map { $0["ops"] }
        == [#"{"$set":{"orgId":"15"}}"#, #"{"$set":{"sport":["tennis","soccer"]}}"#]
    )
    #expect(
      events.map { $0["groups"] } == [#"{"orgId":["15"]}"#, #"{"sport":["tennis","soccer"]}"#]
    )
  }

  @Test func `AMP-G3: groups of one event are those of that event`() async throws {
    let events = try await sent {
      $0.track("a", [:], EventOptions(groups: ["orgId": ["15"]]))
      $0.track("b")
    }
    #expect(events.map { $0["groups"] } == [#"{"orgId":["15"]}"#, nil])
    #expect(events.allSatisfy { $0["ops"] == nil })
  }

  @Test func `AMP G4: a group has properties of its own`() async throws {
    let events = try await sent {
      $0.identifyGroup("orgId", "15", .set("plan", "enterprise").set("seats", 250))
    }
    #expect(events.map(\.name) == ["$groupidentify"])
    #expect(events.first?["groups"] == #"{"orgId":["15"]}"#)
    #expect(events.first?["group_ops"] == #"{"$set":{"plan":"enterprise","seats":250}}"#)
    #expect(events.first?["ops"] == nil)
  }

  @Test func `groups without a type or a name are counted, logged and nothing else`() async throws {
    let client = try world.client()
    client.setGroup("", "15")
    client.setGroup("orgId", ["", ""])
    client.setGroup("orgId", ["", "15"])
    client.identifyGroup("", "15", .set("a", 1))
    client.identifyGroup("orgId", "", .set("a", 1))
    await client.flush()
    #expect(try world.sent.map { $0["groups"] } == [#"{"orgId":["15"]}"#])
    let counts = client.diagnostics
    #expect(counts.dropped.byReason == [.invalid: 4])
    #expect(counts.tracked == counts.delivered + counts.dropped.events)
    #expect(world.lines(.warning).contains { $0.contains("A group has an empty type or no name") })
    #expect(world.lines(.warning).contains { $0.contains("its properties are not changed") })
  }

  @Test func `AMP-R2: revenue without a price is not sent, with a warning`() async throws {
    let client = try world.client()
    client.revenue(Revenue(quantity: 3))
    await client.flush()
    #expect(world.transport.requests.isEmpty)
    #expect(world.lines(.warning).contains("Invalid revenue object, missing required fields"))
    #expect(client.diagnostics.dropped.byReason == [.invalid: 1])
  }

  @Test func `AMP-R5: all fields of a revenue travel under their reserved keys`() async throws {
    var revenue = Revenue(price: 50.5, quantity: 100)
    revenue.revenue = 5_050
    revenue.productID = "p"
    revenue.revenueType = "subscription"
    revenue.currency = "USD"
    revenue.receipt = "r"
    revenue.receiptSignature = "s"
    #expect(revenue.total == 5_050)
    let events = try await sent { $0.revenue(revenue) }
    #expect(events.map(\.name) == ["revenue_amount"])
    #expect(
      events.first?["props"]
        == #"{"$currency":"USD","$price":50.5,"$productId":"p","$quantity":100,"$receipt":"r","#
        + #""$receiptSig":"s","$revenue":5050,"$revenueType":"subscription"}"#
    )
  }

  @Test func `AMP-R7: a reserved key of the app's own gives way to the field`() async throws {
    var revenue = Revenue(price: 2)
    revenue.properties = ["$price": 1, "coupon": "FALL26"]
    let events = try await sent { $0.revenue(revenue) }
    #expect(events.first?.property("$price") == "2")
    #expect(events.first?.property("coupon") == #""FALL26""#)
  }
}
