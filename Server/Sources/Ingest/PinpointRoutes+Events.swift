internal import Catalog
internal import EndpointStore
internal import FootfallSystem
internal import HTTPServing
internal import IngestLog
internal import Wire

extension PinpointRoutes {
  /// `POST /v1/apps/{app}/events`.
  func putEvents(_ call: Call) throws(AWSRefusal) -> Reply {
    if ingest.log.isRefusing {
      return .now(ingest.turnedAway(.overloaded) { refused(Self.overloaded($0)) })
    }
    try throttle(call)
    let touched = Lock([String]())
    let copies = copies(of: call.app)
    let outcome = PinpointEvents.decode(
      call.body,
      app: call.app.id,
      project: call.app.project,
      copies: copies,
      clientContext: clientContext(of: call.request),
      context: WireContext(receivedAtMs: ingest.nowMs(), sentAtMs: call.caller.sentAtMs),
      scratch: call.scratch.wire
    ) { embedded in
      let verdicts = endpoints.verdicts(app: call.app.id, embedded, whole: copies != nil)
      let changed = zip(embedded, verdicts).filter { $0.1.change != nil }
      touched.withLock { $0 = changed.map(\.0.id) }
      return verdicts
    }
    switch outcome {
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
