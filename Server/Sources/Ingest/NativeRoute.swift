internal import Catalog
internal import HTTPServing
internal import IngestLog
internal import Wire

extension IngestRoutes {
  /// `POST /v1/events` and its other names.
  func native(_ request: Request) -> Reply {
    let resolution = PresentedKey.withBytes(of: request) { $0.map(resolve) ?? .unknown }
    guard case .project(let project, let key) = resolution else {
      return refuse(NativeEvents.unknownKey(), "key")
    }
    // Before decoding: when the disk does not keep up, the processor need not do so either.
    if log.isRefusing { return .now(turnedAway(.overloaded, Self.nativeOverload)) }
    let isSimpleDataLogs = facts(key)?.kind == .simpledatalogs
    return scratch.with { scratch in
      var context = WireContext(
        receivedAtMs: nowMs(),
        sentAtMs: request.headerBytes("footfall-sent-at").flatMap(SentAt.milliseconds),
        // SimpleDataLogs' clients were told of no place that would be kept.
        places: isSimpleDataLogs ? nil : places(of: request)
      )
      if let names = blocked(project) { context.isBlocked = { names.contains($0) } }
      let bound = Inflater.Bound(
        // SimpleDataLogs' clients have a limit of their own.
        maxBytes: isSimpleDataLogs ? settings.maxSimpleDataLogsBytes : settings.maxInflatedBytes,
        maxRatio: settings.maxInflationRatio
      )
      do throws(Inflater.Failure) {
        let outcome = try inflated(request, bound: bound, scratch: scratch) { body in
          guard body.count <= bound.maxBytes else {
            return WireOutcome.refused(
              NativeEvents.tooLarge(limitBytes: bound.maxBytes),
              reason: "too_large"
            )
          }
          return NativeEvents.decode(
            body,
            contentType: request.contentType,
            project: project,
            context: context,
            scratch: &scratch.wire,
            clientMember: { clientMember(ofKey: key) }
          )
        }
        switch outcome {
        case .accepted(let acceptance):
          return log(
            acceptance,
            key: key,
            project: project,
            tooLarge: { NativeEvents.tooLarge(limitBytes: $0) },
            overQuota: { NativeEvents.overloaded(status: 429, retryAfterSeconds: $0) },
            overloaded: Self.nativeOverload
          )
        case .refused(let answer, let reason): return refuse(answer, reason, of: project)
        }
      } catch {
        return refuse(error, limit: bound.limit(received: request.body.count), of: project)
      }
    }
  }

  /// The native answer to requests that never reach the handler.
  static func nativeRefusal(_ refusal: Refusal) -> WireAnswer? {
    switch refusal {
    case .bodyTooLarge(let limit): NativeEvents.tooLarge(limitBytes: limit)
    case .overloaded: NativeEvents.overloaded(retryAfterSeconds: 1)
    default: nil
    }
  }

  @Sendable private static func nativeOverload(_ seconds: Int) -> WireAnswer {
    NativeEvents.overloaded(retryAfterSeconds: seconds)
  }

  private func refuse(_ failure: Inflater.Failure, limit: Int, of project: UInt32) -> Reply {
    switch failure {
    case .tooLarge:
      refuse(NativeEvents.tooLarge(limitBytes: limit), "too_large", of: project)
    case .damaged:
      refuse(
        NativeEvents.unsupported("The body's compression cannot be read."),
        "unreadable",
        of: project
      )
    }
  }

  /// Refuses a request as a whole; whose it was is counted where that is known.
  func refuse(_ answer: WireAnswer, _ reason: String, of project: UInt32? = nil) -> Reply {
    metrics.refused(reason)
    if let project {
      usage.lost(1, .refused, reason: reason, project: project, nowMs: nowMs())
    }
    return .now(PreparedAnswers.response(answer))
  }
}

extension Request {
  /// The content type; what nearly everyone sends is not copied from the header.
  fileprivate var contentType: String? {
    guard let bytes = headerBytes("content-type") else { return nil }
    let common: StaticString = "application/json"
    let isCommon = UnsafeRawBufferPointer(start: common.utf8Start, count: common.utf8CodeUnitCount)
      .elementsEqual(bytes)
    return isCommon ? "application/json" : String(decoding: bytes, as: UTF8.self)
  }
}
