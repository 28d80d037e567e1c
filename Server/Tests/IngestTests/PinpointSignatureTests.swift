import Foundation
import HTTPServing
import SigV4
import IngestLog
import FootfallJournal
import Testing
import Wire

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Who may send as Pinpoint's client` {
  private func batch(_ id: String = "ev1") -> String {
    "{" + PinpointClient.batch("e1", "{}", [(id, PinpointClient.event())]) + "}"
  }

  @Test(
    "AWS-S8 a clock 901 s off is told the server's time",
    arguments: [-901_000, 901_000] as [Int64]
  )
  func expired(skewMs: Int64) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    var client = PinpointClient(fixture)
    client.nowMs += skewMs
    let answer = await client.put(batch())
    #expect(answer.status == 403)
    #expect(answer.header("x-amzn-ErrorType") == "InvalidSignatureException")
    #expect((try answer.value("Message") as? String)?.hasPrefix("Signature expired") == true)
    #expect(answer.header("Date") == "Mon, 01 Dec 2025 09:31:40 GMT")
    client.nowMs = IngestFixture.now - 900_000
    #expect(await client.put(batch()).status == 202)
  }

  @Test(
    "AWS-S9 a byte of the body, or a signed header, that changed on the way is noticed",
    arguments: [(AWSService.pinpoint, 403), (.kinesis, 400), (.firehose, 400)]
  )
  func tampered(service: AWSService, status: Int) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    var router = Router()
    router.post("/") { request in
      do throws(AWSRefusal) {
        _ = try fixture.routes.aws.admit(request, to: service)
        return .now(Response())
      } catch {
        return .now(service.response(error, nowMs: IngestFixture.now))
      }
    }
    let signer = RequestSigner(
      accessKeyID: "AKIDEXAMPLE",
      secret: PinpointClient.secret,
      service: service.rawValue
    )
    let body = Array("{\"Records\":[]}".utf8)
    let fields = ["content-type": "application/x-amz-json-1.1", "host": "127.0.0.1:4001"]
    let signed = signer.signed(fields, body: body, atMs: IngestFixture.now)
    func send(_ headers: [Header], _ body: [UInt8]) async -> Response {
      await TestClient(router).post("/", headers: headers, body: body)
    }
    let headers = signed.map { Header($0.name, $0.value) }
    #expect(await send(headers, body).status == 200)
    for place in body.indices {
      var other = body
      other[place] ^= 1
      let answer = await send(headers, other)
      #expect(answer.status == status)
      #expect(answer.header("x-amzn-ErrorType") == "InvalidSignatureException")
    }
    for place in headers.indices.dropLast() {
      var other = headers
      other[place].value =
        headers[place].name == "x-amz-date"
        ? UTCTime(IngestFixture.now + 1_000).compact : headers[place].value + "1"
      #expect(await send(other, body).header("x-amzn-ErrorType") == "InvalidSignatureException")
    }
  }

  @Test("AWS-S10 the service that is signed for is mobiletargeting")
  func service() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    var client = PinpointClient(fixture)
    client.service = "pinpoint"
    #expect(await client.put(batch()).status == 403)
    client.service = "mobiletargeting"
    #expect(await client.put(batch()).status == 202)
  }

  @Test("AWS-S11 an unknown key, no signature and a broken one have their names")
  func names() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    var client = PinpointClient(fixture)
    client.key = "AKIDOTHER"
    #expect(await client.put(batch()).header("x-amzn-ErrorType") == "UnrecognizedClientException")
    client.tamper = { headers, _ in headers.removeAll { $0.name == "authorization" } }
    let missing = await client.put(batch())
    #expect(missing.status == 403)
    #expect(missing.header("x-amzn-ErrorType") == "MissingAuthenticationTokenException")
    client.tamper = { headers, _ in
      headers.removeAll { $0.name == "authorization" }
      headers.append(Header("Authorization", "AWS4-HMAC-SHA256 garbage"))
    }
    #expect(await client.put(batch()).header("x-amzn-ErrorType") == "IncompleteSignatureException")
    client = PinpointClient(fixture)
    client.secret = "another"
    #expect(await client.put(batch()).header("x-amzn-ErrorType") == "InvalidSignatureException")
  }

  @Test("AWS-S15 a key is good for the applications of its project alone")
  func otherProject() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    for key in ["AKIDEXAMPLE", "AKIDLIMITED"] {
      var client = PinpointClient(fixture)
      client.key = key
      let answer = await client.put(batch(), app: PinpointClient.otherApp)
      #expect(answer.status == 403)
      #expect(answer.header("x-amzn-ErrorType") == "ForbiddenException")
    }
    #expect(try fixture.logged().isEmpty)
  }

  @Test(
    "AWS-S16 the region that is signed for may be any",
    arguments: ["us-east-1", "eu-central-1"]
  )
  func region(region: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    var client = PinpointClient(fixture)
    client.region = region
    #expect(await client.put(batch()).status == 202)
  }

  @Test("AWS-S17 AWS-C4 a key may do what its rights say, and nothing else")
  func rights() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    var client = PinpointClient(fixture)
    client.key = "AKIDLIMITED"
    #expect(await client.put(batch()).status == 202)
    #expect(await client.update("e1", #"{"Address":"t"}"#) == 202)
    let before = try fixture.logged()
    let app = "/v1/apps/\(PinpointClient.app)"
    let batch = Array(#"{"Item":[{"Id":"e1","Address":"x"}]}"#.utf8)
    let forbidden: [(HTTPMethod, String, [UInt8])] = [
      (.get, app + "/endpoints/e1", []), (.delete, app + "/endpoints/e1", []),
      (.put, app + "/endpoints", batch), (.post, "/v1/apps", Array(#"{"Name":"x"}"#.utf8)),
      (.post, "/v1/apps/\(PinpointClient.otherApp)/events", Array("{\"BatchItem\":{}}".utf8)),
    ]
    for (method, path, body) in forbidden {
      let answer = await client.send(method, path, body: body)
      #expect(answer.status == 403, "\(method) \(path)")
      #expect(answer.header("x-amzn-ErrorType") == "ForbiddenException")
    }
    #expect(try fixture.logged() == before)
    #expect(try await PinpointClient(fixture).endpoint("e1")?["Address"] as? String == "t")
  }

  @Test func `applications are made, listed, shown and taken away`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    let made = await client.send(.post, "/v1/apps", body: Array(#"{"Name":"Old \"app\""}"#.utf8))
    #expect(made.status == 201)
    #expect(try made.value("Name") as? String == #"Old "app""#)
    let id = try #require(try made.value("Id") as? String)
    #expect(
      try made.value("Arn") as? String
        == "arn:aws:mobiletargeting:us-east-1:123456789012:apps/\(id)"
    )
    #expect(
      try await client.send(.get, "/v1/apps/\(PinpointClient.app)").value("Name") as? String
        == "App"
    )
    let listed = try await client.send(.get, "/v1/apps").value("Item") as? [NSDictionary]
    #expect(listed?.compactMap { $0["Id"] as? String } == [PinpointClient.app])
    #expect(await client.send(.delete, "/v1/apps/\(PinpointClient.app)").status == 200)
    for body in ["", "{}", "[]", #"{"Name":1}"#, #"{"Name":"x"}x"#] {
      #expect(await client.send(.post, "/v1/apps", body: Array(body.utf8)).status == 400)
    }
  }
}
