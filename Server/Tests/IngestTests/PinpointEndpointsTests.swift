import EventRecord
import EventStore
import Foundation
import HTTPServing
import IngestLog
import FootfallJournal
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Endpoints and users of Pinpoint's clients` {
  private static let app = "/v1/apps/\(PinpointClient.app)"

  @Test("AWS-E1 a new endpoint is accepted, active, and of a cohort")
  func new() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    let answer = await client.send(
      .put,
      Self.app + "/endpoints/e1",
      body: Array(#"{"ChannelType":"EMAIL","Address":"ann@example.com"}"#.utf8)
    )
    #expect(answer.status == 202)
    #expect(try answer.value("Message") as? String == "Accepted")
    #expect(try answer.value("RequestID") as? String == answer.header("x-amzn-RequestId"))
    let found = try #require(try await client.endpoint("e1"))
    #expect(found["EndpointStatus"] as? String == "ACTIVE")
    #expect(found["ApplicationId"] as? String == PinpointClient.app)
    #expect(found["Id"] as? String == "e1")
    let cohort = try #require((found["CohortId"] as? String).flatMap { Int($0) })
    #expect((0...99).contains(cohort))
    #expect(found["CreationDate"] as? String == "2025-12-01T09:31:40.000Z")
    #expect(try await client.endpoint("e2") == nil)
  }

  @Test("AWS-E2 AWS-T2 only what a request names changes")
  func partial() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    await client.update(
      "e1",
      #"{"Address":"a","ChannelType":"SMS","OptOut":"NONE","Demographic":{"Make":"apple","Locale":"en_GB"},"Location":{"Latitude":1.5,"City":"Bonn"},"Attributes":{"a":["1"],"b":["2","3"]},"Metrics":{"m":1}}"#
    )
    let before = try #require(
      try await client.endpoint("e1")?.mutableCopy() as? NSMutableDictionary
    )
    #expect(await client.update("e1", #"{"User":{"UserId":"UserIdValue"}}"#) == 202)
    before["User"] = ["UserId": "UserIdValue"]
    #expect(try await client.endpoint("e1") == before)
    #expect(try await client.endpoints(ofUser: "UserIdValue") == [before])
    #expect(
      await client.update("e1", #"{"Demographic":{"Locale":"de_DE"},"Location":{"City":"Köln"}}"#)
        == 202
    )
    let after = try #require(try await client.endpoint("e1"))
    #expect(after["Demographic"] as? NSDictionary == ["Make": "apple", "Locale": "de_DE"])
    #expect(after["Location"] as? NSDictionary == ["Latitude": 1.5, "City": "Köln"])
  }

  @Test("AWS-E3 AWS-T1 a list replaces its name's, and an empty one takes the name away")
  func lists() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    func attributes() async throws -> NSDictionary? {
      try await client.endpoint("e1")?["Attributes"] as? NSDictionary
    }
    await client.update(
      "e1",
      #"{"Attributes":{"interests":["science","politics","travel"],"color":["red"]}}"#
    )
    #expect(
      try await attributes() == ["interests": ["science", "politics", "travel"], "color": ["red"]]
    )
    await client.update("e1", #"{"Attributes":{"interests":["d"]}}"#)
    #expect(try await attributes() == ["interests": ["d"], "color": ["red"]])
    await client.update("e1", #"{"Attributes":{"interests":[]}}"#)
    #expect(try await attributes() == ["color": ["red"]])
    let changes = try fixture.logged()
    #expect(changes.map(\.kind) == [.identify, .identify, .identify])
    #expect(changes.map(\.deviceID) == ["e1", "e1", "e1"])
    #expect(
      changes.map(\.operations) == [
        #"{"$set":{"color":["red"],"interests":["science","politics","travel"]}}"#,
        #"{"$set":{"interests":["d"]}}"#, #"{"$unset":{"interests":"-"}}"#,
      ]
    )
    #expect(changes[1].context == #"{"Endpoint":{"Attributes":{"interests":["d"]}}}"#)
  }

  @Test("AWS-E4 a hundred endpoints are taken at once, and of more none")
  func batch() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    func put(_ count: Int, prefix: String) async -> Response {
      let items = (0..<count).map { #"{"Id":"\#(prefix)\#($0)","ChannelType":"CUSTOM"}"# }
      return await client.send(
        .put,
        Self.app + "/endpoints",
        body: Array("{\"Item\":[\(items.joined(separator: ","))]}".utf8)
      )
    }
    let taken = await put(100, prefix: "a")
    #expect(taken.status == 202)
    #expect(try taken.value("Message") as? String == "Accepted")
    for number in 0..<100 { #expect(try await client.endpoint("a\(number)") != nil) }
    let refused = await put(101, prefix: "b")
    #expect(refused.status == 400)
    for number in [0, 99, 100] { #expect(try await client.endpoint("b\(number)") == nil) }
    let wrong = await client.send(
      .put,
      Self.app + "/endpoints",
      body: Array(#"{"Item":[{"Id":"c1"},{"Id":"c2","ChannelType":"FOO"}]}"#.utf8)
    )
    #expect(wrong.status == 400)
    #expect(try await client.endpoint("c1") == nil)
    for body in ["{}", "[]", #"{"Item":{}}"#, #"{"Item":[{}]}"#, #"{"Item":[]"#] {
      let answer = await client.send(.put, Self.app + "/endpoints", body: Array(body.utf8))
      #expect(answer.status == 400, "\(body)")
    }
  }

  @Test("AWS-E5 an id may have any signs, which stand escaped in the path")
  func escapes() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    let path = "a%2Fb%20c%2Bd%40e%3A%C3%A9"
    #expect(await client.update(path, "{}") == 202)
    #expect(try await client.endpoint(path)?["Id"] as? String == "a/b c+d@e:é")
  }

  @Test("AWS-E6 three signs may not stand in an id", arguments: ["a%24b", "a%7Bb", "a%7Db"])
  func signs(id: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    #expect(await client.update(id, "{}") == 400)
    #expect(try await client.endpoint(id) == nil)
  }

  @Test("AWS-E7 the last endpoint with an address is the active one, within its channel")
  func address() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    func status(_ id: String) async throws -> String? {
      try await client.endpoint(id)?["EndpointStatus"] as? String
    }
    await client.update("e0", #"{"ChannelType":"GCM","Address":"tok"}"#)
    await client.update("e1", #"{"ChannelType":"APNS","Address":"tok"}"#)
    await client.update("e2", #"{"ChannelType":"APNS","Address":"tok"}"#)
    #expect(try await status("e0") == "ACTIVE")
    #expect(try await status("e1") == "INACTIVE")
    #expect(try await status("e2") == "ACTIVE")
    await client.update(
      "e3",
      #"{"ChannelType":"APNS","Address":"tok","EndpointStatus":"INACTIVE"}"#
    )
    #expect(try await status("e3") == "INACTIVE")
    #expect(try await status("e2") == "ACTIVE")
    for id in ["n1", "n2"] { await client.update(id, #"{"ChannelType":"APNS","Address":""}"#) }
    #expect(try await status("n1") == "ACTIVE")
  }

  @Test("AWS-E8 a user's attributes are those of all their endpoints")
  func shared() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    for id in ["e1", "e2", "e3"] {
      await client.update(id, #"{"User":{"UserId":"a+b@example.com"}}"#)
    }
    await client.update("e2", #"{"User":{"UserAttributes":{"plan":["pro"]}}}"#)
    let found = try #require(try await client.endpoints(ofUser: "a%2Bb%40example.com"))
    #expect(found.count == 3)
    for endpoint in found {
      #expect(
        endpoint["User"] as? NSDictionary
          == ["UserId": "a+b@example.com", "UserAttributes": ["plan": ["pro"]]]
      )
    }
  }

  /// A user with 15 endpoints of a channel, of which the eighth was effective first.
  private func fill(_ client: PinpointClient, channel: String) async {
    for number in 1...15 {
      let day = number == 7 ? "01" : "02"
      await client.update(
        "e\(number)",
        #"{"ChannelType":"\#(channel)","EffectiveDate":"2025-11-\#(day)T00:00:\#(number + 10).000Z","User":{"UserId":"u1"}}"#
      )
    }
  }

  @Test("AWS-E9 a 16th endpoint of a user is refused where no push endpoint can give way")
  func sixteenth() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    await fill(client, channel: "EMAIL")
    for channel in ["EMAIL", "APNS"] {
      #expect(
        await client.update("x", #"{"ChannelType":"\#(channel)","User":{"UserId":"u1"}}"#) == 400
      )
    }
    #expect(try await client.endpoint("x") == nil)
    #expect(await client.update("e3", #"{"User":{"UserId":"u1"},"OptOut":"ALL"}"#) == 202)
    #expect(try await client.endpoints(ofUser: "u1")?.count == 15)
  }

  @Test(
    "AWS-E10 AWS-E11 the oldest push endpoint gives way to a 16th",
    arguments: ["APNS", "APNS_SANDBOX"]
  )
  func givesWay(channel: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    await fill(client, channel: channel)
    #expect(
      await client.update("x", #"{"ChannelType":"\#(channel)","User":{"UserId":"u1"}}"#) == 202
    )
    let oldest = try #require(try await client.endpoint("e7"))
    #expect(oldest["EndpointStatus"] as? String == "INACTIVE")
    #expect(oldest["User"] == nil)
    let ids = Set(
      try await client.endpoints(ofUser: "u1")?.compactMap { $0["Id"] as? String } ?? []
    )
    #expect(ids == Set((1...15).filter { $0 != 7 }.map { "e\($0)" } + ["x"]))
    #expect(await client.update("y", #"{"ChannelType":"SMS","User":{"UserId":"u1"}}"#) == 400)
  }

  @Test("AWS-E12 a deleted endpoint is gone, and its events are not")
  func delete() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    let event = PinpointClient.event()
    _ = await client.put("e1", saying: #"{"Address":"t"}"#, [("a", event)])
    let before = try #require(try await client.endpoint("e1"))
    let answer = await client.send(.delete, Self.app + "/endpoints/e1")
    #expect(answer.status == 202)
    #expect(try answer.value() == before)
    #expect(try await client.endpoint("e1") == nil)
    let again = await client.send(.delete, Self.app + "/endpoints/e1")
    #expect(again.status == 404)
    #expect(again.header("x-amzn-ErrorType") == "NotFoundException")
    #expect(try fixture.stored().events.filter { $0.name == "e" }.count == 1)
  }

  @Test("AWS-E13 a user is deleted with all endpoints")
  func deleteUser() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    for number in 1...4 {
      await client.update("e\(number)", #"{"User":{"UserId":"u1","UserAttributes":{"a":["b"]}}}"#)
    }
    let answer = await client.send(.delete, Self.app + "/users/u1")
    #expect(answer.status == 202)
    #expect((try answer.value("Item") as? NSArray)?.count == 4)
    #expect(await client.send(.get, Self.app + "/users/u1").status == 404)
    #expect(await client.send(.delete, Self.app + "/users/u1").status == 404)
    await client.update("e1", #"{"User":{"UserId":"u1"}}"#)
    #expect(try await client.endpoint("e1")?["User"] as? NSDictionary == ["UserId": "u1"])
  }

  @Test(
    "AWS-E14 an attribute has up to 50 values of up to 100 characters",
    arguments: [
      (50, 1, 202), (51, 1, 400), (1, 100, 202), (1, 101, 400),
    ]
  )
  func values(count: Int, length: Int, status: Int) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    let value = "\"\(String(repeating: "é", count: length))\""
    let list = Array(repeating: value, count: count).joined(separator: ",")
    #expect(await client.update("e1", "{\"Attributes\":{\"a\":[\(list)]}}") == status)
    #expect(
      await client.update(
        "e1",
        "{\"User\":{\"UserId\":\"u\",\"UserAttributes\":{\"a\":[\(list)]}}}"
      ) == status
    )
    let long = String(repeating: "k", count: 51)
    #expect(await client.update("e1", "{\"Attributes\":{\"\(long)\":[]}}") == 400)
  }

  @Test("AWS-E15 a push endpoint needs no address")
  func noAddress() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    #expect(await PinpointClient(fixture).update("e1", #"{"ChannelType":"APNS"}"#) == 202)
  }

  @Test("AWS-E16 channels are known ones, and names of attributes have a case")
  func channel() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    #expect(await client.update("e1", #"{"ChannelType":"FOO"}"#) == 400)
    #expect(try await client.endpoint("e1") == nil)
    await client.update("e1", #"{"Attributes":{"Plan":["a"],"plan":["b"]}}"#)
    #expect(
      try await client.endpoint("e1")?["Attributes"] as? NSDictionary == [
        "Plan": ["a"], "plan": ["b"],
      ]
    )
  }

  @Test("AWS-E17 a user has endpoints of several channels")
  func channels() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    await client.update("p", #"{"ChannelType":"APNS","Address":"tok","User":{"UserId":"u1"}}"#)
    let push = try await client.endpoint("p")
    await client.update(
      "m",
      #"{"ChannelType":"EMAIL","Address":"ann@example.com","User":{"UserId":"u1"}}"#
    )
    await client.update("s", #"{"ChannelType":"SMS","Address":"+15550100","User":{"UserId":"u1"}}"#)
    let found = try #require(try await client.endpoints(ofUser: "u1"))
    #expect(found.compactMap { $0["EndpointStatus"] as? String } == ["ACTIVE", "ACTIVE", "ACTIVE"])
    #expect(try await client.endpoint("p") == push)
  }

  @Test("AWS-T8 what comes with events is kept as if it had been sent alone")
  func embedded() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    let event = PinpointClient.event()
    let said = #"{"Attributes":{"interests":["science"]},"Metrics":{"level":3}}"#
    for number in 0..<3 {
      _ = await client.put("e1", saying: said, [("a\(number)", event)])
    }
    let found = try #require(try await client.endpoint("e1"))
    #expect(found["Attributes"] as? NSDictionary == ["interests": ["science"]])
    #expect(found["Metrics"] as? NSDictionary == ["level": 3])
    // Said three times, it changed once.
    let changes = try fixture.logged().filter { $0.kind == .identify }
    #expect(changes.map(\.operations) == [#"{"$set":{"interests":["science"],"level":3}}"#])
  }

  @Test func `what could not be logged is said again by the next request`() async throws {
    let fixture = try IngestFixture { $0.maxRecordBytes = 400 }
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    let (event, said) = (PinpointClient.event(), #"{"Metrics":{"level":3}}"#)
    let many = (0..<10).map { ("b\($0)", event) }
    #expect(
      await client.put("e1", saying: said, many).status == 413
    )
    _ = await client.put("e1", saying: said, [])
    #expect(try fixture.logged().map(\.operations) == [#"{"$set":{"level":3}}"#])
  }

  @Test(arguments: [
    "{", "[]", #"{"Attributes":[]}"#, #"{"Attributes":{"a":"b"}}"#, #"{"Attributes":{"a":[1]}}"#,
    #"{"Metrics":{"a":"NaN"}}"#, #"{"OptOut":"YES"}"#, #"{"EndpointStatus":"on"}"#,
    #"{"EffectiveDate":"today"}"#, #"{"Address":1}"#, #"{"User":{"UserAttributes":{"a":["b"]}}}"#,
    "{\"Address\":\"" + String(repeating: "x", count: 15 << 10) + "\"}",
  ])
  func `what is wrong is refused and nothing kept`(body: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    let answer = await client.send(.put, Self.app + "/endpoints/e1", body: Array(body.utf8))
    #expect(answer.status == 400)
    #expect(answer.header("x-amzn-ErrorType") == "BadRequestException")
    #expect(try await client.endpoint("e1") == nil)
    #expect(try fixture.logged().isEmpty)
  }
}
