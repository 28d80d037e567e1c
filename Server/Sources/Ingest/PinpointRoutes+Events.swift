internal import Catalog
internal import EndpointStore
internal import FootfallSystem
internal import HTTPServing
internal import IngestLog
internal import Wire

extension PinpointRoutes {
  /// `POST /v1/apps/{app}/events`; its thread never waits.
  func putEvents(_ call: Call) throws(AWSRefusal) -> Reply {
    if ingest.log.isRefusing {
      return .now(ingest.turnedAway(.overloaded) { refused(Self.overloaded($0)) })
    }
    try throttle(call)
    if let reply = try take(call, mayWait: false) { return reply }
    // An endpoint says something new: what is known of it lies on disk. The bytes must be made again, since
    // those that were inflated are gone by then.
    let (request, caller, app) = (call.request, call.caller, call.app)
    return .blocking {
      reply { () throws(AWSRefusal) in
        try inflated(request, maxBytes: PinpointLimits.putEventsBytes, isCounted: false) {
          (body, scratch) throws(AWSRefusal) in
          let call = Call(request: request, caller: caller, app: app, scratch: scratch, body: body)
          guard let reply = try take(call, mayWait: true) else {
            throw Self.overloaded(ingest.settings.overloadRetrySeconds)
          }
          return reply
        }
      }
    }
  }

  /// Takes the events and what is said of endpoints; nil where that would wait for a disk and may not.
  private func take(_ call: Call, mayWait: Bool) throws(AWSRefusal) -> Reply? {
    let touched = Lock([String]())
    let copies = copies(of: call.app)
    // What is copied needs all that is known of an endpoint, which is on disk.
    guard mayWait || copies == nil else { return nil }
    let outcome = PinpointEvents.decode(
      call.body,
      app: call.app.id,
      project: call.app.project,
      copies: copies,
      clientContext: clientContext(of: call.request),
      context: WireContext(receivedAtMs: ingest.nowMs(), sentAtMs: call.caller.sentAtMs),
      scratch: call.scratch.wire
    ) { embedded in
      guard mayWait else { return endpoints.knownVerdicts(app: call.app.id, embedded) }
      let verdicts = endpoints.verdicts(app: call.app.id, embedded, whole: copies != nil)
      let changed = zip(embedded, verdicts).filter { $0.1.change != nil }
      touched.withLock { $0 = changed.map(\.0.id) }
      return verdicts
    }
    switch outcome {
    case .undecided: return nil
    case .refused(let refusal, _): throw refusal
    case .accepted(let acceptance):
      return ingest.log(
        acceptance,
        project: call.app.project,
        answers(app: call.app.id, touched.withLock { $0 })
      )
    }
  }

  private func answers(app: String, _ touched: [String]) -> IngestRoutes.Answers {
    IngestRoutes.Answers(
      accepted: { answer in
        AWSService.pinpoint.response(
          status: answer.status,
          answer.body,
          requestID: AWSService.requestID(),
          nowMs: ingest.nowMs()
        )
      },
      tooLarge: {
        endpoints.forget(app: app, ids: touched)
        return refused(.tooLarge(limitBytes: ingest.log.settings.maxRecordBytes))
      },
      overQuota: { seconds in
        endpoints.forget(app: app, ids: touched)
        return refused(Self.overQuota(seconds))
      },
      overloaded: { seconds in
        endpoints.forget(app: app, ids: touched)
        return refused(Self.overloaded(seconds))
      }
    )
  }

  private func throttle(_ call: Call) throws(AWSRefusal) {
    let limits = SendingRates.Limits(
      perSecond: ingest.settings.maxPutEventsPerSecond,
      perDay: 0
    )
    guard limits.perSecond > 0 else { return }
    let id = SendingRates.ID(project: call.app.project, isUser: false, text: call.app.id)
    let excess = ingest.putEventsRates.withLock {
      $0.admit([id: 1], limits: limits, nowMs: ingest.nowMs())
    }
    guard excess.isEmpty else {
      throw AWSRefusal(
        429,
        "TooManyRequestsException",
        "This application sends over \(limits.perSecond) requests a second; try again later."
      )
    }
  }

  /// What clients from before 2016 say of the device; nil for none, or what is no JSON object.
  private func clientContext(of request: Request) -> String? {
    guard let header = request.headerBytes("x-amz-client-context") else { return nil }
    let isEncoded = request.header("x-amz-client-context-encoding")?.lowercased() == "base64"
    let bytes =
      isEncoded ? Base64.decode(header, maxBytes: 16 << 10) : Array(header.prefix(16 << 10))
    return bytes.flatMap { PinpointEvents.clientContext($0) }
  }
}
