internal import Catalog
internal import HTTPServing
internal import IngestLog
internal import Wire

extension IngestRoutes {
  /// `POST /2/httpapi` and `/batch`; the key is in the body.
  func amplitude(_ request: Request, _ limits: AmplitudeHTTPV2.Limits) -> Reply {
    if log.isRefusing { return .now(turnedAway(.overloaded, Self.amplitudeOverload)) }
    return scratch.with { scratch in
      // What an honest client compresses is bounded by the protocol's own limit.
      let bound = Inflater.Bound(
        maxBytes: max(limits.maxBytes, settings.maxInflatedBytes),
        maxRatio: settings.maxInflationRatio
      )
      do throws(Inflater.Failure) {
        let outcome = try inflated(request, bound: bound, scratch: scratch) { body in
          AmplitudeHTTPV2.decode(
            body,
            project: project,
            context: WireContext(receivedAtMs: nowMs()),
            limits: limits,
            scratch: &scratch.wire
          )
        }
        switch outcome {
        case .accepted(let acceptance):
          return log(
            acceptance,
            tooLarge: AmplitudeHTTPV2.tooLarge(),
            overloaded: Self.amplitudeOverload
          )
        case .refused(let answer, let reason): return refuse(answer, reason)
        }
      } catch {
        switch error {
        case .tooLarge: return refuse(AmplitudeHTTPV2.tooLarge(), "too_large")
        case .damaged:
          return refuse(AmplitudeHTTPV2.answer(400, "The body cannot be read"), "unreadable")
        }
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

  private func project(_ apiKey: String) -> UInt32? {
    var key = apiKey
    let resolution = key.withUTF8 { resolve(UnsafeRawBufferPointer($0)) }
    guard case .project(let project, _) = resolution else { return nil }
    return project
  }
}
