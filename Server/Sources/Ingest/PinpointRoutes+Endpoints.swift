internal import Catalog
internal import EndpointStore
internal import EventRecord
internal import HTTPServing
internal import IngestLog
internal import Wire

extension PinpointRoutes {
  func updateEndpoint(_ call: Call) throws(AWSRefusal) -> Reply {
    let id = call.request.parameter("endpoint")
    try PinpointEndpointUpdate.check(id: id)
    return try update(call, [(id, try PinpointEndpointUpdate(call.body))])
  }

  func updateEndpointsBatch(_ call: Call) throws(AWSRefusal) -> Reply {
    try update(call, try PinpointEndpointUpdate.batch(call.body))
  }

  private func update(
    _ call: Call,
    _ items: [PinpointEndpointUpdate.Item]
  ) throws(AWSRefusal) -> Reply {
    let made = try stored { () throws(EndpointProblem) in
      try endpoints.update(app: call.app.id, items)
    }
    let changes = zip(items, made).map { item, endpoint in
      item.update.event(
        key: .random(project: call.app.project, nonce: Self.nonce(), counter: 0),
        deviceID: endpoint.id,
        userID: endpoint.state.userID,
        timestampMs: call.caller.sentAtMs,
        sequence: 0,
        context: endpoint.context
      )
    }
    let id = AWSService.requestID()
    return log(call, changes) {
      AWSService.pinpoint.response(
        status: 202,
        Array(#"{"Message":"Accepted","RequestID":"\#(id)"}"#.utf8),
        requestID: id,
        nowMs: ingest.nowMs()
      )
    }
  }

  func getEndpoint(_ call: Call) throws(AWSRefusal) -> Reply {
    let id = call.request.parameter("endpoint")
    let found = try stored { () throws(EndpointProblem) in
      try endpoints.endpoint(app: call.app.id, id: id)
    }
    guard let found else { throw .notFound("There is no endpoint \(id).") }
    return .now(answer(200, found.json))
  }

  func deleteEndpoint(_ call: Call) throws(AWSRefusal) -> Reply {
    let id = call.request.parameter("endpoint")
    let found = try stored { () throws(EndpointProblem) in
      try endpoints.delete(app: call.app.id, id: id)
    }
    guard let found else { throw .notFound("There is no endpoint \(id).") }
    return log(call, [deletion(of: found, call)]) { answer(202, found.json) }
  }

  func getUserEndpoints(_ call: Call) throws(AWSRefusal) -> Reply {
    let user = call.request.parameter("user")
    let found = try stored { () throws(EndpointProblem) in
      try endpoints.endpoints(app: call.app.id, user: user)
    }
    guard !found.isEmpty else { throw .notFound("There is no user \(user).") }
    return .now(answer(200, Self.items(found)))
  }

  func deleteUserEndpoints(_ call: Call) throws(AWSRefusal) -> Reply {
    let user = call.request.parameter("user")
    let found = try stored { () throws(EndpointProblem) in
      try endpoints.delete(app: call.app.id, user: user)
    }
    guard !found.isEmpty else { throw .notFound("There is no user \(user).") }
    return log(call, found.map { deletion(of: $0, call) }) { answer(202, Self.items(found)) }
  }

  private static func items(_ endpoints: [PinpointEndpoint]) -> String {
    "{\"Item\":[\(endpoints.map(\.json).joined(separator: ","))]}"
  }

  func stored<R>(_ body: () throws(EndpointProblem) -> R) throws(AWSRefusal) -> R {
    do throws(EndpointProblem) { return try body() } catch {
      switch error {
      case .refused(let refusal): throw refusal
      case .failed:
        throw AWSRefusal(
          500,
          "InternalServerErrorException",
          "The endpoint could not be read or stored; try again."
        )
      }
    }
  }

  // MARK: The event log

  /// Logs what changed, so that people's properties and the endpoints can be told from the log alone.
  private func log(
    _ call: Call,
    _ changes: [EventRecord],
    _ answer: @escaping @Sendable () -> Response
  ) -> Reply {
    ingest.log(
      WireAcceptance(
        record: record(of: changes, call),
        events: changes.count,
        answer: WireAnswer(status: 202, body: [])
      ),
      IngestRoutes.Answers(
        accepted: { _ in answer() },
        tooLarge: { refused(.tooLarge(limitBytes: ingest.log.settings.maxRecordBytes)) },
        overQuota: { refused(Self.overQuota($0)) },
        overloaded: { refused(Self.overloaded($0)) }
      )
    )
  }

  /// The log's record of changes.
  func record(of changes: [EventRecord], _ call: Call) -> [UInt8] {
    let now = ingest.nowMs()
    let clock = ClockCorrection(
      receivedAtMs: now,
      sentAtMs: call.caller.sentAtMs,
      toleranceMs: ClockCorrection.usualToleranceMs
    )
    let header = RecordHeader(
      source: .pinpoint,
      project: call.app.project,
      receivedAtMs: now,
      sentAtMs: clock.sentAtMs,
      clockCorrectionMs: clock.correctionMs
    )
    return RecordWriter.record(
      header,
      context: #"{"ApplicationId":"\#(call.app.id)"}"#,
      events: changes
    )
  }

  private func deletion(of endpoint: PinpointEndpoint, _ call: Call) -> EventRecord {
    EventRecord(
      key: .random(project: call.app.project, nonce: Self.nonce(), counter: 0),
      kind: .identify,
      flags: .keyIsRandom,
      timestampMs: call.caller.sentAtMs,
      name: "$identify",
      deviceID: endpoint.id,
      userID: endpoint.state.userID,
      context: #"{"EndpointDeleted":true}"#
    )
  }

  static func nonce() -> (UInt64, UInt64) {
    (.random(in: .min ... .max), .random(in: .min ... .max))
  }
}
