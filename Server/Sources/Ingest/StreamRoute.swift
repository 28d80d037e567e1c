internal import Catalog
internal import FootfallJournal
internal import FootfallSystem
internal import HTTPServing
internal import IngestLog
internal import Wire

extension IngestRoutes {
  /// What a client of Kinesis or Firehose asks for at `POST /`, told by its header `X-Amz-Target`.
  func streamCall(_ request: Request, target: String) -> Reply {
    let (service, operation) = StreamOperation.named(target)
    do throws(AWSRefusal) {
      let caller = try aws.admit(request, to: service)
      guard let operation else { throw .unknownOperation(target) }
      switch operation {
      case .putRecord, .putRecords, .putRecordBatch: return try put(request, operation, caller)
      default: return try ask(request, operation, caller)
      }
    } catch {
      return refuse(error, service)
    }
  }

  func refuse(_ refusal: AWSRefusal, _ service: AWSService) -> Reply {
    metrics.refused(Self.reason(refusal))
    return .now(service.response(refusal, nowMs: nowMs()))
  }

  /// A refusal's name in the counts.
  static func reason(_ refusal: AWSRefusal) -> String {
    switch refusal.code {
    case "ProvisionedThroughputExceededException", "ServiceUnavailableException": "too_fast"
    case "ResourceNotFoundException": "not_found"
    case "SerializationException": "unreadable"
    case "ValidationException", "InvalidArgumentException": "invalid_records"
    case "RequestEntityTooLargeException": "too_large"
    case "InternalFailure": "disk"
    default: "key"
    }
  }

  /// Runs `body` with the request's bytes as they were before compression.
  func readBody<R>(
    _ request: Request,
    _ scratch: IngestScratch,
    _ body: (UnsafeRawBufferPointer) throws(AWSRefusal) -> R
  ) throws(AWSRefusal) -> R {
    let bound = Inflater.Bound(
      maxBytes: settings.maxStreamBytes,
      maxRatio: settings.maxInflationRatio
    )
    let result: Result<R, AWSRefusal>
    do throws(Inflater.Failure) {
      result = try inflated(request, bound: bound, scratch: scratch) { bytes in
        Result { () throws(AWSRefusal) in try body(bytes) }
      }
    } catch {
      switch error {
      case .tooLarge: throw .bodyTooLarge(limitBytes: bound.limit(received: request.body.count))
      case .damaged: throw .unreadableCompression
      }
    }
    return try result.get()
  }

  // MARK: Putting records

  private func put(
    _ request: Request,
    _ operation: StreamOperation,
    _ caller: AWSCaller
  ) throws(AWSRefusal) -> Reply {
    let service = caller.service
    // Before decoding: when the disk does not keep up, the processor need not do so either.
    guard !log.isRefusing else { throw .overloaded(service) }
    return try scratch.with { scratch throws(AWSRefusal) in
      let put = try readBody(request, scratch) { body throws(AWSRefusal) in
        try StreamPut(
          body,
          to: service,
          isSingle: operation == .putRecord,
          scratch: scratch.streams
        )
      }
      let stream = try stream(put.streamName, operation, caller)
      let now = nowMs()
      if usage.waitSeconds(project: stream.project, nowMs: now) != nil {
        usage.refused(events: put.count, project: stream.project, nowMs: now)
        metrics.refused("quota")
        return .now(service.response(.overQuota(service), nowMs: now))
      }
      let writing = put.write(
        to: stream.target,
        project: stream.project,
        context: WireContext(receivedAtMs: now, sentAtMs: caller.sentAtMs),
        scratch: scratch.streams,
        wire: &scratch.wire
      ) { shard, bytes in admit(bytes, stream, shard: shard, now) }
      if put.isSingle, case .throttled(let shard)? = writing.outcomes.first {
        throw put.throttled(shard: shard)
      }
      return log(writing, of: put, project: stream.project)
    }
  }

  private func admit(_ bytes: Int, _ stream: RecordStream, shard: Int, _ now: Int64) -> Bool {
    guard stream.recordsPerSecond > 0 || stream.bytesPerSecond > 0 else { return true }
    return streamRates.withLock { rates in
      rates.admit(
        bytes: bytes,
        stream: stream.id,
        shard: shard,
        recordsPerSecond: stream.recordsPerSecond,
        bytesPerSecond: stream.bytesPerSecond,
        nowMs: now
      )
    }
  }

  /// The stream of this name, if the caller may do this with it.
  func stream(
    _ name: String,
    _ operation: StreamOperation,
    _ caller: AWSCaller
  ) throws(AWSRefusal) -> RecordStream {
    let kind: RecordStream.Kind = caller.service == .firehose ? .firehose : .kinesis
    try caller.require(operation.rawValue, on: Self.resource(name, kind))
    guard let stream = aws.directory.streams.named(name, kind, caller.key.project) else {
      throw .noStream(name, caller.service)
    }
    return stream
  }

  static func resource(_ name: String, _ kind: RecordStream.Kind) -> String {
    (kind == .firehose ? "deliverystream/" : "stream/") + name
  }

  /// Hands the record to the log; its place there makes the sequence numbers of the answer.
  private func log(_ writing: StreamWriting, of put: StreamPut, project: UInt32) -> Reply {
    let service = put.service
    if writing.failures > 0 {
      metrics.left(
        duplicates: 0,
        rejections: [.refusedItem: writing.failures],
        clientDropped: [:]
      )
    }
    guard !writing.record.isEmpty else {
      return .now(answer(service, put.answer(writing, segment: 0, endOffset: 0)))
    }
    return .later { [self] handle in
      let submission = log.submit(writing.record) { [self] result in
        switch result {
        case .success(let end):
          metrics.accepted(events: writing.events)
          usage.took(
            events: writing.logged,
            bytes: writing.record.count,
            project: project,
            nowMs: nowMs(),
            upTo: end
          )
          let body = put.answer(writing, segment: end.segment, endOffset: end.offset)
          handle.finish(answer(service, body))
        case .failure:
          metrics.refused("disk")
          handle.finish(service.response(.internalFailure(service), nowMs: nowMs()))
        }
      }
      guard submission != .accepted else { return }
      metrics.refused(submission == .full ? "log_full" : "overloaded")
      handle.finish(service.response(.overloaded(service), nowMs: nowMs()))
    }
  }

  func answer(_ service: AWSService, _ body: [UInt8]) -> Response {
    service.response(status: 200, body, requestID: AWSService.requestID(), nowMs: nowMs())
  }
}

extension RecordStream {
  /// What records are put into.
  var target: StreamTarget {
    StreamTarget(id: id, name: name, shards: StreamShards(count: shards))
  }
}
