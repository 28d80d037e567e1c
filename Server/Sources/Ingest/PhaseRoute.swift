internal import Catalog
internal import FootfallSystem
internal import HTTPServing
internal import IngestLog
internal import Wire

extension IngestRoutes {
  /// Adds the paths that Phase's clients send to.
  ///
  /// Source: `phase.md` section 6.
  func installPhase(in router: inout Router) {
    for path in PhasePath.allCases {
      for address in ["/sdk/\(path.rawValue)", "/sdk/\(path.rawValue)/"] {
        install(address, maxBytes: settings.maxPhaseBytes, in: &router, Self.phaseRefusal) {
          [self] request in
          phase(request, path)
        }
        for method in [HTTPMethod.get, .put, .delete] {
          router.on(method, address) { [self] _ in
            refuse(PhaseSDK.methodNotAllowed(), "method")
          }
        }
      }
    }
  }

  /// The key is looked at first, so that nobody without one costs more than that.
  private func phase(_ request: Request, _ path: PhasePath) -> Reply {
    let resolution = PresentedKey.bearer(of: request).map(resolve) ?? .unknown
    guard case .project(let project, _) = resolution else {
      return refuse(PhaseSDK.unauthorized(), "key")
    }
    if log.isRefusing { return .now(turnedAway(.overloaded, Self.phaseOverload)) }
    let bound = Inflater.Bound(
      maxBytes: settings.maxPhaseInflatedBytes,
      maxRatio: settings.maxInflationRatio
    )
    let read: Result<PhaseCall, PhaseReadRefusal>
    do throws(Inflater.Failure) {
      read = try scratch.with { scratch throws(Inflater.Failure) in
        try inflated(request, bound: bound, scratch: scratch) { PhaseSDK.read($0, path: path) }
      }
    } catch {
      switch error {
      case .tooLarge:
        let limit = bound.limit(received: request.body.count)
        return refuse(PhaseSDK.tooLarge(limitBytes: limit), "too_large", of: project)
      case .damaged: return refuse(PhaseSDK.unreadable(), "unreadable", of: project)
      }
    }
    switch read {
    case .failure(let refusal): return refuse(refusal.answer, "unreadable", of: project)
    case .success(let call):
      if let answer = tooManyRequests(request, call) {
        return refuse(answer, "too_fast", of: project)
      }
      return decide(call, phaseContext(request, path, project))
    }
  }

  private func tooManyRequests(_ request: Request, _ call: PhaseCall) -> WireAnswer? {
    let limit = settings.maxPhaseRequestsPerMinute
    guard limit > 0 else { return nil }
    let senders = [
      call.countedDevice.map { "device " + $0 },
      request.remoteAddress.isEmpty
        ? nil : "address " + request.remoteAddress,
    ].compactMap { $0 }
    let now = nowMs()
    let wait = requests.withLock { $0.admit(senders, limit: limit, nowMs: now) }
    return wait.map { PhaseSDK.tooManyRequests(limit: limit, retryAfterSeconds: $0) }
  }

  private func phaseContext(
    _ request: Request,
    _ path: PhasePath,
    _ project: UInt32
  ) -> PhaseContext {
    let sentAtMs = request.headerBytes("footfall-sent-at").flatMap(SentAt.milliseconds)
    var context = PhaseContext(
      path: path,
      project: project,
      receivedAtMs: nowMs(),
      sentAtMs: sentAtMs
    )
    let debug = request.header("x-phase-debug-data")?.lowercased()
    context.isDebug = debug == "1" || debug == "true"
    context.isOwnClient = sentAtMs != nil
    context.country = place?(request.remoteAddress).flatMap {
      $0.country.isEmpty ? nil : $0.country
    }
    return context
  }

  /// Decides from the state, keeps what changes, then the record; answers once both are on disk.
  ///
  /// A stop between the two loses nothing: the client was not answered and sends the same again,
  /// which changes the state no further.
  private func decide(_ call: PhaseCall, _ context: PhaseContext) -> Reply {
    .later { [self] handle in
      let isTaken = state.submit({ [self] transaction throws(CatalogError) in
        let known = try Self.knowledge(of: call, in: transaction)
        let decision = scratch.with { call.decide(known, context, scratch: &$0.wire) }
        try Self.keep(decision.changes, context, in: transaction)
        return decision.acceptance
      }) { [self] (result: Result<WireAcceptance, CatalogError>) in
        switch result {
        case .success(let acceptance):
          log(
            acceptance,
            project: context.project,
            tooLarge: { PhaseSDK.tooLarge(limitBytes: $0) },
            overQuota: { PhaseSDK.overQuota(retryAfterSeconds: $0) },
            overloaded: Self.phaseOverload,
            answering: handle
          )
        case .failure:
          metrics.refused("state")
          handle.finish(PreparedAnswers.response(Self.phaseOverload(settings.diskRetrySeconds)))
        }
      }
      if !isTaken { handle.finish(turnedAway(.overloaded, Self.phaseOverload)) }
    }
  }

  private static func knowledge(
    of call: PhaseCall,
    in transaction: StateTransaction
  ) throws(CatalogError) -> PhaseKnowledge {
    var known = PhaseKnowledge()
    for id in call.sessionIDs {
      known.sessions[id] = try transaction.value(.phaseSession, id).flatMap(PhaseSession.init)
    }
    // What is known of a device goes with its events, also where a request names only sessions.
    for id in call.deviceIDs.union(known.sessions.values.map(\.deviceID)) {
      known.devices[id] = try transaction.value(.phaseDevice, id).flatMap(PhaseDevice.init)
    }
    return known
  }

  private static func keep(
    _ changes: PhaseKnowledge,
    _ context: PhaseContext,
    in transaction: StateTransaction
  ) throws(CatalogError) {
    for (id, device) in changes.devices {
      try transaction.set(device.text, .phaseDevice, id, project: context.project)
    }
    for (id, session) in changes.sessions {
      try transaction.set(
        session.text,
        .phaseSession,
        id,
        project: context.project,
        expiresAtMs: max(context.receivedAtMs, session.lastActivityMs) + keptSessionMs
      )
    }
  }

  /// A session takes events for 2 hours, in batches of up to 30 days later.
  private static let keptSessionMs: Int64 = 31 * 86_400_000

  /// Phase's answer to requests that never reach the handler.
  static func phaseRefusal(_ refusal: Refusal) -> WireAnswer? {
    switch refusal {
    case .bodyTooLarge(let limit): PhaseSDK.tooLarge(limitBytes: limit)
    case .overloaded: PhaseSDK.overloaded(retryAfterSeconds: 1)
    default: nil
    }
  }

  @Sendable private static func phaseOverload(_ seconds: Int) -> WireAnswer {
    PhaseSDK.overloaded(retryAfterSeconds: seconds)
  }
}
