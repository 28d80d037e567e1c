internal import Catalog
internal import HTTPServing
internal import IngestLog
internal import Wire

extension IngestRoutes {
  /// Adds the paths that Amplitude's clients send to.
  ///
  /// People give their clients a whole address, with a folder or two in front or with nothing but the host.
  func installAmplitude(in router: inout Router) {
    let uploads = SendingRates.Limits(perSecond: settings.maxUploadsPerSecond, perDay: 0)
    let batches = SendingRates.Limits(
      perSecond: settings.maxBatchedPerSecond,
      perDay: settings.maxBatchedPerDay
    )
    for path in ["/httpapi", "/2/httpapi", "/:folder/2/httpapi", "/:folder/:more/2/httpapi"] {
      install(path, maxBytes: settings.maxRequestBytes, in: &router, Self.amplitudeRefusal) {
        [self] request in
        amplitudeUpload(request, rates: uploads)
      }
    }
    installRoot(in: &router, uploads: uploads)
    for path in ["/batch", "/:folder/batch", "/:folder/:more/batch"] {
      install(path, maxBytes: settings.maxBatchBytes, in: &router, Self.amplitudeRefusal) {
        [self] request in
        amplitude(request, .batch, rates: batches)
      }
    }
    for (path, purpose) in [
      ("/identify", AmplitudeForm.Purpose.identify), ("/groupidentify", .groupIdentify),
      ("/attribution", .attribution),
    ] {
      install(
        path,
        purpose == .attribution ? [.post] : [.post, .get],
        maxBytes: settings.maxRequestBytes,
        in: &router,
        Self.amplitudeRefusal
      ) { [self] request in amplitudeForm(request, for: purpose) }
    }
    install(
      "/v1/capture",
      maxBytes: settings.maxRequestBytes,
      in: &router,
      Self.amplitudeRefusal
    ) { [self] request in amplitudeDiagnostics(request) }
  }

  /// Adds the root, which is told apart: AWS clients say what they want in a header, and those of
  /// SimpleDataLogs and our own have their key there, where Amplitude's have it in the body.
  private func installRoot(in router: inout Router, uploads: SendingRates.Limits) {
    let limit = max(settings.maxStreamBytes, settings.maxRequestBytes)
    install("/", maxBytes: limit, in: &router, Self.amplitudeRefusal) {
      [self] request in
      if let target = request.header("x-amz-target") { return streamCall(request, target: target) }
      let isNative = isNative(request)
      guard request.body.count <= settings.maxRequestBytes else {
        return refuse(
          isNative
            ? NativeEvents.tooLarge(limitBytes: settings.maxRequestBytes)
            : AmplitudeHTTPV2.tooLarge(),
          "too_large"
        )
      }
      return isNative ? native(request) : amplitudeUpload(request, rates: uploads)
    }
  }

  /// Whether a request to the root is a batch for `/v1/events`.
  ///
  /// A proxy in front may put a key of its own into the header of anything: then the body tells.
  private func isNative(_ request: Request) -> Bool {
    PresentedKey.withBytes(of: request) { key in
      guard let key else { return false }
      if case .project(_, let id) = resolve(key), let kind = facts(id)?.kind,
        kind == .ingest || kind == .simpledatalogs
      {
        return true
      }
      return !request.holdsForm && !Inflater.isGzip(request.body)
        && !request.bodyText.contains("\"api_key\"")
    }
  }

  private func amplitudeUpload(_ request: Request, rates: SendingRates.Limits) -> Reply {
    request.holdsForm
      ? amplitudeForm(request, for: .upload) : amplitude(request, .upload, rates: rates)
  }

  /// What a client counts about itself: the events it had to drop are shown with all others.
  private func amplitudeDiagnostics(_ request: Request) -> Reply {
    let apiKey = request.header("x-apikey") ?? ""
    var key: Int64?
    guard project(apiKey, &key) != nil else {
      return refuse(AmplitudeHTTPV2.unknownKey(apiKey), "unknown_key")
    }
    let bound = Inflater.Bound(
      maxBytes: settings.maxInflatedBytes,
      maxRatio: settings.maxInflationRatio
    )
    return scratch.with { scratch in
      do throws(Inflater.Failure) {
        let found = try inflated(request, bound: bound, scratch: scratch) { body in
          AmplitudeDiagnostics.droppedEvents(body)
        }
        guard let dropped = found else {
          return refuse(AmplitudeHTTPV2.answer(400, "Invalid JSON request body"), "unreadable")
        }
        metrics.left(
          duplicates: 0,
          rejections: [:],
          clientDropped: dropped == 0 ? [:] : ["amplitude_dropped": Int(clamping: dropped)]
        )
        return .now(PreparedAnswers.response(AmplitudeDiagnostics.taken))
      } catch {
        return refuseAmplitude(error)
      }
    }
  }

  private func refuseAmplitude(_ failure: Inflater.Failure) -> Reply {
    switch failure {
    case .tooLarge: refuse(AmplitudeHTTPV2.tooLarge(), "too_large")
    case .damaged: refuse(AmplitudeHTTPV2.answer(400, "The body cannot be read"), "unreadable")
    }
  }

  /// A form, or the query of an address; the key is one of the fields.
  private func amplitudeForm(_ request: Request, for purpose: AmplitudeForm.Purpose) -> Reply {
    if log.isRefusing { return .now(turnedAway(.overloaded, Self.amplitudeOverload)) }
    metrics.received(bytes: request.body.count)
    let fields = request.formItems + request.queryItems
    // Some tools call whatever they send a form.
    let start = request.body.first { $0 > 0x20 }
    let isJSON = start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
    guard !isJSON || fields.contains(where: { $0.name == "api_key" }) else {
      return refuse(AmplitudeForm.notAForm, "unreadable")
    }
    return scratch.with { scratch in
      var key: Int64?
      let outcome = AmplitudeForm.decode(
        fields,
        for: purpose,
        project: { project($0, &key) },
        context: amplitudeContext(request),
        scratch: &scratch.wire,
        clientMember: { clientMember(ofKey: key) }
      )
      if purpose == .identify, case .accepted(let acceptance) = outcome,
        throttle.hasTooManyUpdates(
          acceptance,
          limit: settings.maxIdentifiesPerHour,
          nowMs: nowMs()
        )
      {
        return refuse(AmplitudeForm.tooManyUpdates, "too_fast")
      }
      return amplitudeReply(to: outcome, key: key)
    }
  }

  private func amplitudeContext(_ request: Request) -> WireContext {
    WireContext(
      receivedAtMs: nowMs(),
      clientAddress: settings.keepsAddresses ? request.remoteAddress : nil,
      places: places(of: request)
    )
  }

  private func amplitudeReply(
    to outcome: WireOutcome,
    key: Int64?,
    rates: SendingRates.Limits? = nil
  ) -> Reply {
    switch outcome {
    case .accepted(let acceptance):
      if let rates,
        let answer = throttle.refusal(of: acceptance, limits: rates, nowMs: nowMs())
      {
        return refuse(answer, "too_fast")
      }
      return log(
        acceptance,
        key: key,
        tooLarge: { _ in AmplitudeHTTPV2.tooLarge() },
        overQuota: { AmplitudeHTTPV2.overloaded(status: 429, retryAfterSeconds: $0) },
        overloaded: Self.amplitudeOverload
      )
    case .refused(let answer, let reason): return refuse(answer, reason)
    }
  }

  /// `POST /2/httpapi` and `/batch`; the key is in the body.
  private func amplitude(
    _ request: Request,
    _ limits: AmplitudeHTTPV2.Limits,
    rates: SendingRates.Limits
  ) -> Reply {
    if log.isRefusing { return .now(turnedAway(.overloaded, Self.amplitudeOverload)) }
    return scratch.with { scratch in
      // What an honest client compresses is bounded by the protocol's own limit.
      let bound = Inflater.Bound(
        maxBytes: max(limits.maxBytes, settings.maxInflatedBytes),
        maxRatio: settings.maxInflationRatio
      )
      var key: Int64?
      do throws(Inflater.Failure) {
        let outcome = try inflated(request, bound: bound, scratch: scratch) { body in
          AmplitudeHTTPV2.decode(
            body,
            project: { project($0, &key) },
            context: amplitudeContext(request),
            limits: limits,
            scratch: &scratch.wire,
            clientMember: { clientMember(ofKey: key) }
          )
        }
        return amplitudeReply(to: outcome, key: key, rates: rates)
      } catch {
        return refuseAmplitude(error)
      }
    }
  }

  /// Amplitude's answer to requests that never reach the handler.
  static func amplitudeRefusal(_ refusal: Refusal) -> WireAnswer? {
    switch refusal {
    case .bodyTooLarge: AmplitudeHTTPV2.tooLarge()
    case .overloaded: AmplitudeHTTPV2.overloaded(retryAfterSeconds: 1)
    default: nil
    }
  }

  @Sendable private static func amplitudeOverload(_ seconds: Int) -> WireAnswer {
    AmplitudeHTTPV2.overloaded(retryAfterSeconds: seconds)
  }

  /// The project that a key may send to, and the key's number.
  private func project(_ apiKey: String, _ number: inout Int64?) -> UInt32? {
    var key = apiKey
    let resolution = key.withUTF8 { resolve(UnsafeRawBufferPointer($0)) }
    guard case .project(let project, let id) = resolution else { return nil }
    number = id
    return project
  }
}

extension Request {
  /// Whether the body is a form; some tools call JSON a form unless told otherwise.
  fileprivate var holdsForm: Bool {
    let type = (header("content-type") ?? "").lowercased()
    guard
      type.hasPrefix("application/x-www-form-urlencoded") || type.hasPrefix("multipart/form-data")
    else { return false }
    return !Inflater.isGzip(body) && body.first { $0 > 0x20 } != UInt8(ascii: "{")
  }
}
