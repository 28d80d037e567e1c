import Catalog
import EndpointStore
import EventRecord
import Foundation
import HTTPServing
import SigV4
import Testing
import Wire

@testable import Ingest

/// A client of AWS, as boto3 is one: it signs, and looks at answers by their headers.
struct PinpointClient {
  static let app = "0123456789abcdef0123456789abcdef"
  /// Of another project.
  static let otherApp = "ffffffffffffffffffffffffffffffff"
  static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

  /// The keys and applications that a fixture knows.
  static let directory = AWSGate.Directory(
    key: { id in
      let rights: AWSRights? =
        switch id {
        case "AKIDEXAMPLE": .all
        case "AKIDLIMITED":
          AWSRights(
            actions: ["mobiletargeting:UpdateEndpoint", "mobiletargeting:PutEvents"],
            resources: ["arn:aws:mobiletargeting:*:111122223333:apps/\(app)*"]
          )
        default: nil
        }
      return rights.map { AWSKey(keyID: 1, project: 7, secret: secret, rights: $0) }
    },
    app: { id in
      guard let project = [app: 7 as UInt32, otherApp: 8][id] else { return nil }
      return PinpointApp(id: id, project: project, name: "App", createdAtMs: 0)
    },
    apps: { [PinpointApp(id: app, project: $0, name: "App", createdAtMs: 0)] },
    addApp: { PinpointApp(id: otherApp, project: $0, name: $1, createdAtMs: 0) }
  )

  let router: Router
  var key = "AKIDEXAMPLE"
  var secret = Self.secret
  var region = "us-east-1"
  var service = "mobiletargeting"
  var nowMs = IngestFixture.now
  /// Changes a signed request on its way.
  var tamper: (inout [Header], inout [UInt8]) -> Void = { _, _ in }

  init(_ fixture: IngestFixture) { router = fixture.router }

  /// Signs and sends a request.
  func send(
    _ method: HTTPMethod,
    _ path: String,
    body: [UInt8] = [],
    contentType: String = "application/json",
    headers: [Header] = []
  ) async -> Response {
    var signer = RequestSigner(accessKeyID: key, secret: secret, service: service)
    signer.region = region
    var fields = ["host": "127.0.0.1:4001"]
    if !body.isEmpty { fields["content-type"] = contentType }
    let signed = signer.signed(
      method: method.rawValue,
      path: path,
      fields,
      body: body,
      atMs: nowMs
    )
    var all = signed.map { Header($0.name, $0.value) } + headers
    var body = body
    tamper(&all, &body)
    return await TestClient(router).send(method, path, headers: all, body: body)
  }

  /// Sends PutEvents with a BatchItem.
  func put(
    _ items: String,
    app: String = Self.app,
    contentType: String = "application/json",
    headers: [Header] = []
  ) async -> Response {
    await send(
      .post,
      "/v1/apps/\(app)/events",
      body: Array("{\"BatchItem\":\(items)}".utf8),
      contentType: contentType,
      headers: headers
    )
  }

  /// Sends PutEvents for one endpoint.
  func put(
    _ endpoint: String = "e1",
    saying json: String = "{}",
    _ events: [(id: String, json: String)]
  ) async -> Response {
    await put("{" + Self.batch(endpoint, json, events) + "}")
  }

  /// One event as JSON, with more members behind the two that must be.
  static func event(
    _ type: String = "e",
    time: String = "2025-12-01T09:30:00.000Z",
    _ more: String = ""
  ) -> String {
    #"{"EventType":"\#(type)","Timestamp":"\#(time)"\#(more)}"#
  }

  /// One endpoint's member of a BatchItem.
  static func batch(
    _ endpoint: String,
    _ json: String,
    _ events: [(id: String, json: String)]
  ) -> String {
    let events = events.map { "\"\($0.id)\":\($0.json)" }.joined(separator: ",")
    return "\"\(endpoint)\":{\"Endpoint\":\(json),\"Events\":{\(events)}}"
  }

  /// Updates an endpoint and returns the status.
  @discardableResult
  func update(_ id: String, _ json: String) async -> Int {
    await send(.put, "/v1/apps/\(Self.app)/endpoints/\(id)", body: Array(json.utf8)).status
  }

  /// The endpoint as JSON; nil when there is none.
  func endpoint(_ id: String) async throws -> NSDictionary? {
    let answer = await send(.get, "/v1/apps/\(Self.app)/endpoints/\(id)")
    guard answer.status == 200 else { return nil }
    return try JSONSerialization.jsonObject(with: Data(answer.body)) as? NSDictionary
  }

  /// The endpoints of a user; nil when there are none.
  func endpoints(ofUser user: String) async throws -> [NSDictionary]? {
    let answer = await send(.get, "/v1/apps/\(Self.app)/users/\(user)")
    guard answer.status == 200 else { return nil }
    let json = try JSONSerialization.jsonObject(with: Data(answer.body)) as? NSDictionary
    return json?["Item"] as? [NSDictionary]
  }
}

extension Response {
  /// What the body says, by a path of keys.
  func value(_ path: String...) throws -> NSObject? {
    var value = try JSONSerialization.jsonObject(with: Data(body)) as? NSObject
    for key in path { value = (value as? NSDictionary)?[key] as? NSObject }
    return value
  }

  /// The status of each event of an endpoint.
  func statuses(_ endpoint: String) throws -> [String: Int] {
    let items = try value("Results", endpoint, "EventsItemResponse") as? [String: NSDictionary]
    return (items ?? [:]).compactMapValues { $0["StatusCode"] as? Int }
  }
}
