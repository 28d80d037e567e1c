internal import Catalog
internal import EndpointStore
internal import HTTPServing
internal import Wire

extension PinpointRoutes {
  /// `GET /v1/apps/{app}/settings`.
  func getSettings(_ call: Call) throws(AWSRefusal) -> Reply {
    .now(settings(endpoints.record(ofApp: call.app.id), call))
  }

  /// `PUT /v1/apps/{app}/settings`.
  func updateSettings(_ call: Call) throws(AWSRefusal) -> Reply {
    let asked = try PinpointSettings(call.body)
    let record = try stored { () throws(EndpointProblem) in
      try endpoints.updateSettings(ofApp: call.app.id, asked)
    }
    return .now(settings(record, call))
  }

  private func settings(_ record: PinpointAppRecord, _ call: Call) -> Response {
    answer(
      200,
      record.settings.answer(app: call.app.id, changedAtMs: record.settingsChangedAtMs)
    )
  }

  // MARK: Event streams

  /// `GET /v1/apps/{app}/eventstream`.
  func getEventStream(_ call: Call) throws(AWSRefusal) -> Reply {
    .now(stream(try known(call), call))
  }

  /// `POST /v1/apps/{app}/eventstream`: from now on, events go into a stream of this server as well.
  func putEventStream(_ call: Call) throws(AWSRefusal) -> Reply {
    let asked = try PinpointEventStream(call.body)
    guard try target(of: asked, call.app) != nil else {
      throw .badRequest(
        "There is no stream \(asked.destination) in this application's project; footfall stream create makes one."
      )
    }
    let record = try stored { () throws(EndpointProblem) in
      try endpoints.setStream(ofApp: call.app.id, asked, by: call.caller.accessKeyID)
    }
    guard let put = record.stream else { throw .badRequest("The stream was not kept.") }
    return .now(stream(put, call))
  }

  /// `DELETE /v1/apps/{app}/eventstream`; what has been copied stays in the stream.
  func deleteEventStream(_ call: Call) throws(AWSRefusal) -> Reply {
    let before = try known(call)
    try stored { () throws(EndpointProblem) in
      _ = try endpoints.setStream(ofApp: call.app.id, nil, by: call.caller.accessKeyID)
    }
    return .now(stream(before, call))
  }

  /// The stream into which an application's events are copied; nil for none, or one that is gone.
  func copies(of app: PinpointApp) -> StreamTarget? {
    guard let put = endpoints.record(ofApp: app.id).stream else { return nil }
    do throws(AWSRefusal) { return try target(of: put.stream, app) } catch {
      // What was put has been understood then.
      return nil
    }
  }

  private func target(
    of put: PinpointEventStream,
    _ app: PinpointApp
  ) throws(AWSRefusal) -> StreamTarget? {
    let (service, name) = try put.target
    return ingest.aws.directory.streams.named(
      name,
      service == .firehose ? .firehose : .kinesis,
      app.project
    )?.target
  }

  private func known(_ call: Call) throws(AWSRefusal) -> PinpointAppRecord.Stream {
    guard let put = endpoints.record(ofApp: call.app.id).stream else {
      throw .notFound("The application \(call.app.id) has no event stream.")
    }
    return put
  }

  private func stream(_ put: PinpointAppRecord.Stream, _ call: Call) -> Response {
    answer(
      200,
      put.stream.answer(
        app: call.app.id,
        changedAtMs: put.changedAtMs,
        changedBy: put.changedBy
      )
    )
  }
}
