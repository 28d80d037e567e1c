import Catalog
import EventStore
import Foundation
import Insights
import ServerApp
import Testing

/// Endpoints of Amazon Pinpoint that come in files, against a server.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `A file of endpoints` {
  private struct Answer {
    var status: Int
    var json: [String: Any]
  }

  /// Sends a file to the call that imports lists.
  private func send(_ file: [UInt8], _ account: AWSAccount, name: String) throws -> Answer {
    let server = account.server
    let key = try server.server.catalog.createKey(
      project: server.project,
      kind: .secret,
      role: .editor
    )
    let head = """
      POST /api/v1/projects/\(server.project)/lists?name=\(name)&app=\(account.appID) HTTP/1.1\r
      Host: 127.0.0.1\r
      Connection: close\r
      Authorization: Bearer \(key.plaintext)\r
      Content-Length: \(file.count)\r
      \r

      """
    let port = try #require(try server.url.port)
    let answer = try LoopbackRequest.exchange(port: UInt16(port), bytes: Array(head.utf8) + file)
    let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
    return Answer(status: answer.status, json: object as? [String: Any] ?? [:])
  }

  @Test(
    "AWS-D12 of 100 lines with one that is bad 99 endpoints are imported, with two values each, and the list stays at 99"
  )
  func endpointsOfCSV() throws {
    let account = try AWSAccount()
    defer { account.stop() }
    let head = "Id,User.UserId,User.UserAttributes.interests,User.UserAttributes.interests"
    let lines = (1...100).map { number in
      number == 40 ? "endpoint-40,user-40" : "endpoint-\(number),user-\(number),science,music"
    }
    let file = ([head] + lines).joined(separator: "\n")
    let answer = try send(Array(file.utf8), account, name: "Interested")
    #expect(answer.status == 201, "\(answer.json)")
    #expect(answer.json["members"] as? Int == 99)
    #expect(answer.json["failed"] as? Int == 1)
    let failures = answer.json["failures"] as? [[String: Any]]
    #expect(failures?.compactMap { $0["line"] as? Int } == [41])
    for number in [1, 39, 41, 100] {
      let endpoint = try account.get("/endpoints/endpoint-\(number)")
      let user = endpoint["User"] as? [String: Any]
      let interests = (user?["UserAttributes"] as? [String: [String]])?["interests"]
      #expect(interests == ["science", "music"], "\(number)")
    }
    // They are people with properties, and the list holds no more when they do something.
    #expect(try account.server.events(99).count == 99)
    let list = try #require(
      try account.server.server.catalog.lists(project: account.server.project).first
    )
    #expect(list.count == 99)
    let members = try account.server.server.catalog.members(
      ofList: list.id,
      project: account.server.project
    )
    let filter = SegmentFilter(
      Segment(
        .all,
        [.init(.all, [.inList(list.id), .holds(Condition(.user("interests"), .equals, "music"))])]
      ),
      PeopleSetting(nowMs: 0, lists: [list.id: members ?? []])
    )
    #expect(
      try SegmentCount(project: account.server.project, filter).run(on: account.server.server.store)
        == 99
    )
  }

  /// Two endpoints as Pinpoint exports them, packed by gzip.
  private static let export = [
    "H4sIAAAAAAAC/9WRQUvDQBCF7/6MPTdls1aQ3kIbpFAbwdiD4mFNJmYx3V02E0FC/7szq2D1UEXwYC7JbOZ777Fv",
    "FKtazAXY2jtjMUnFRGTed6bSaJyNP+U3DyGLVlsLXfnigYCLxSXL1HWAvqcZ3RPYKF14LAako2y9pjF/t71GjQNv",
    "Zotytc1ZMEAMsNTIikqqWSLPEpmW8nx+KudSTsn5ljdd6wLGoDO2yJsGKjTP8IEyF1HmDtAMMZiHAYGsR0E5gAIj",
    "DXeirwzYCsT9fiKWsHOPQfvWVLx31WlsXNiRtrZ1cKZ+u7MthJ4Sc45pKoi76SEwwO+Yb6CPeA188tncd9qyrw+O",
    "PPf7k/FLMervilGHxWyKTf6rZtTRZtQ/aEb9rJlXcdHUQjMDAAA=",
  ].joined()

  @Test("AWS-D13 opting out, the day of creation and the cohort of an exported endpoint are kept")
  func export() throws {
    let account = try AWSAccount()
    defer { account.stop() }
    let file = try #require(Data(base64Encoded: Self.export))
    let answer = try send(Array(file), account, name: "Exported")
    #expect(answer.status == 201 && answer.json["members"] as? Int == 2, "\(answer.json)")
    for _ in 0..<2 {
      for (number, out) in [(1, "ALL"), (2, "NONE")] {
        let endpoint = try account.get("/endpoints/endpoint-\(number)")
        #expect(endpoint["OptOut"] as? String == out)
        #expect(endpoint["CreationDate"] as? String == "2024-05-0\(number)T08:30:00.000Z")
        #expect(endpoint["CohortId"] as? String == "\(40 + number)")
        #expect(endpoint["EndpointStatus"] as? String == "ACTIVE")
      }
      // The same file again changes nothing of that.
      #expect(try send(Array(file), account, name: "Again-\(UUID().uuidString)").status == 201)
    }
  }
}
