import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: properties of people` {
  let app = AmplitudeApp()
  let observer = TestPlugin(.observe)

  /// What is known here of the person, as the last change told it.
  private func mirror() async -> Properties? {
    await app.client.settle()
    return observer.identities.last
  }

  @Test func `AMP-I2: a property is used once`() async throws {
    app.client.identify(.set("p", 1).unset("p"))
    let event = try await app.event("$identify")
    #expect(event["user_properties"] == #"{"$set":{"p":1}}"#)
    #expect(
      app.lines(.warning)
        == ["Already used property p in previous operation, ignoring operation $unset"]
    )
    #expect(app.client.diagnostics.dropped[.operationIgnored] == 1)
  }

  @Test func `AMP-I3: what comes with a clearing counts for nothing`() async throws {
    app.client.identify(.set("p", 1).clearAll().set("q", 2))
    let event = try await app.event("$identify")
    #expect(event["user_properties"] == #"{"$clearAll":"-"}"#)
    #expect(
      app.lines(.warning)
        == ["This Identify already contains a $clearAll operation, ignoring operation $set"]
    )
  }

  @Test func `AMP-I4: a property without a name and one without a value are not set`() async throws
  {
    app.client.identify(.set("", 1))
    app.client.identify(.set("p", nil))
    #expect(try await app.sent().isEmpty)
    #expect(
      app.lines(.warning) == [
        "Attempting to perform operation $set with a null or empty string property, ignoring",
        "Attempting to perform operation $set with null value for property p, ignoring",
      ]
    )
  }

  @Test func `AMP-I7: of a hand-made identify everything applies here, in its own order`()
    async throws
  {
    app.client.add(observer)
    app.client.identify(.set("foo", 1).set("bar", 2))
    #expect(await mirror() == ["foo": 1, "bar": 2])
    app.track(
      .identify,
      userProperties: ["$clearAll": "-", "$set": ["foo": "bar"], "$unset": ["foo": "-"]]
    )
    #expect(await mirror() == ["foo": "bar"])
    #expect(
      try await app.sent().last?["user_properties"]
        == #"{"$clearAll":"-","$set":{"foo":"bar"},"$unset":{"foo":"-"}}"#
    )
  }

  @Test func `AMP-I8: what only the server can know changes nothing here`() async throws {
    app.client.add(observer)
    app.client.identify(.set("x", 1))
    app.client.identify(.setOnce("x", 2))
    app.client.identify(.add("x", 2))
    app.client.identify(.append("x", 2))
    app.client.identify(.prepend("x", 2))
    app.client.identify(.preInsert("x", 2))
    app.client.identify(.postInsert("x", 2))
    app.client.identify(.remove("x", 1))
    #expect(await mirror() == ["x": 1])
    app.client.identify(.set("y", 2))
    #expect(await mirror() == ["x": 1, "y": 2])
    #expect(observer.identities.count == 2)
    #expect(try await app.sent().count == 9)
  }

  @Test func `AMP-I9: plain properties of a hand-made identify are set`() async throws {
    app.client.add(observer)
    app.client.identify(.set("b", 2))
    app.track(.identify, userProperties: ["a": 1])
    #expect(await mirror() == ["b": 2, "a": 1])
    #expect(try await app.sent().last?["user_properties"] == #"{"a":1}"#)
  }

  @Test func `AMP-I10: the user and device of an identify become the client's, over a restart`()
    async throws
  {
    app.client.identify(
      .set("a", 1),
      FootfallCore.EventOptions(deviceID: "d-2000", userID: "u-2000")
    )
    await app.client.settle()
    #expect(app.client.userID == "u-2000" && app.client.deviceID == "d-2000")
    let next = app.relaunch()
    await next.client.settle()
    #expect(next.client.userID == "u-2000" && next.client.deviceID == "d-2000")
  }

  @Test(arguments: [
    (FootfallCore.EventOptions(userID: "user-2000"), "user-2000", "device-1"),
    (FootfallCore.EventOptions(deviceID: "device-2000"), "user-1", "device-2000"),
  ])
  func `AMP-I11: the other of user and device stays, in this run and the next`(
    options: FootfallCore.EventOptions,
    user: String,
    device: String
  ) async throws {
    app.client.setUserID("user-1")
    app.client.setDeviceID("device-1")
    app.client.identify(.set("a", 1), options)
    app.client.track("this run")
    var events = [try await app.event("this run")]
    let next = app.relaunch()
    next.client.track("next run")
    events.append(try await next.event("next run"))
    #expect(events.map { $0.text("user_id") } == [user, user])
    #expect(events.map { $0.text("device_id") } == [device, device])
  }

  @Test func `the ids of a hand-made identify, and of one of a group, are that event's only`()
    async throws
  {
    app.client.setUserID("user-1")
    app.client.setDeviceID("device-1")
    let options = FootfallCore.EventOptions(deviceID: "device-2", userID: "user-2")
    app.track(.identify, userProperties: ["$set": ["a": 1]], options)
    app.client.setGroup("orgId", "15", options)
    app.track("with properties", userProperties: ["a": 2], options)
    app.client.track("after")
    let events = try await app.sent()
    #expect(
      events.map { $0.text("user_id") } == ["user-2", "user-2", "user-2", "user-1"]
    )
    #expect(app.client.userID == "user-1" && app.client.deviceID == "device-1")
  }

  @Test func `an ordinary event's user properties travel as they are and are not known here`()
    async throws
  {
    app.client.add(observer)
    app.track("Viewed", userProperties: ["plan": "free"])
    #expect(try await app.event("Viewed")["user_properties"] == #"{"plan":"free"}"#)
    #expect(observer.identities.isEmpty)
  }

  /// There is no value to set for this wait: the app's option has to stay without effect.
  @Test(arguments: [1.0, 30, 60])
  func `AMP C10: what is held is queued after thirty seconds, however often is sent`(
    interval: Double
  ) async throws {
    let world = AmplitudeWorld()
    let engine = world.engine(intervalSeconds: interval)
    await engine.settle()
    engine.track(.identify, [:], nil, .set("a", 1))
    await engine.settle()
    for _ in 0..<29 { await world.pass(1, for: engine) }
    #expect(engine.diagnostics.requests == 0)
    // Queued now, and sent with the next tick.
    await world.pass(1, for: engine)
    await world.pass(interval, for: engine)
    await engine.untilDelivered(1)
    #expect(try world.names == [["$identify"]])
  }

  /// What is held goes after a change to a group, which holds up nothing and lets nothing go.
  @Test(
    arguments: [
      (["$set": [:]], true), (["$set": ["a": 1]], true), ([:], false), (nil, false),
    ] as [(Properties?, Bool)]
  )
  func `AMP-C8: an identify that sets nothing is held, one without properties is not`(
    userProperties: Properties?,
    isHeld: Bool
  ) async throws {
    app.track(.identify, userProperties: userProperties)
    app.client.identifyGroup("orgId", "15", .set("seats", 1))
    let names = try await app.names()
    #expect(names == (isHeld ? ["$groupidentify", "$identify"] : ["$identify", "$groupidentify"]))
  }
}
