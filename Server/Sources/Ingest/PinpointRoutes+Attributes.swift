internal import Catalog
internal import EndpointStore
internal import EventRecord
internal import FootfallSystem
internal import HTTPServing
internal import IngestLog
internal import Wire

extension PinpointRoutes {
  /// `PUT /v1/apps/{app}/attributes/{type}`: takes names away from all of an application's endpoints.
  ///
  /// Some hundreds at a time, each first logged and then changed: a request that is cut off, and sent again,
  /// goes on where it was.
  func removeAttributes(_ call: Call) throws(AWSRefusal) -> Reply {
    let attributes = try PinpointAttributes(kind: call.request.parameter("type"), call.body)
    var removed: Set<String> = []
    var place: String? = ""
    while let start = place {
      let page = try stored { () throws(EndpointProblem) in
        try endpoints.removals(of: attributes, app: call.app.id, after: start)
      }
      if !page.found.isEmpty {
        try log(page.found.map { event(of: $0, attributes, call) }, call)
        try stored { () throws(EndpointProblem) in
          try endpoints.remove(attributes, from: page.found, app: call.app.id)
        }
        removed.formUnion(page.found.flatMap(\.names))
      }
      place = page.next
    }
    return .now(answer(200, attributes.answer(app: call.app.id, removed: removed)))
  }

  /// Logs a page and waits until it is on disk.
  private func log(_ events: [EventRecord], _ call: Call) throws(AWSRefusal) {
    let record = record(of: events, call)
    let outcome = Monitor<Bool?>(nil)
    let submission = ingest.log.submit(record) { result in
      if case .success = result {
        outcome.change { $0 = true }
      } else {
        outcome.change { $0 = false }
      }
    }
    // A record that was taken is always answered for, also when the disk fails.
    guard submission == .accepted, outcome.wait(until: { $0 }) else {
      ingest.metrics.refused(submission == .accepted ? "disk" : "overloaded")
      throw Self.overloaded(ingest.settings.diskRetrySeconds)
    }
    ingest.metrics.accepted(events: events.count)
  }

  private func event(
    of removal: EndpointStore.Removal,
    _ attributes: PinpointAttributes,
    _ call: Call
  ) -> EventRecord {
    EventRecord(
      key: .random(project: call.app.project, nonce: Self.nonce(), counter: 0),
      kind: .identify,
      flags: .keyIsRandom,
      timestampMs: call.caller.sentAtMs,
      name: "$identify",
      deviceID: removal.endpoint,
      userID: removal.user,
      operations: PinpointAttributes.operations(removal.names),
      context: attributes.context(removal.names)
    )
  }
}
