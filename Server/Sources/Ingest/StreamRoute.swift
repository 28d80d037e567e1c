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

  private func refuse(_ refusal: AWSRefusal, _ service: AWSService) -> Reply {
    metrics.refused(Self.reason(refusal))
    return .now(service.response(refusal, nowMs: nowMs()))
  }

  /// A refusal's name in the counts.
  private static func reason(_ refusal: AWSRefusal) -> String {
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
  private func readBody<R>(
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
      return log(writing, of: put)
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
  private func stream(
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

  private static func resource(_ name: String, _ kind: RecordStream.Kind) -> String {
    (kind == .firehose ? "deliverystream/" : "stream/") + name
  }

  /// Hands the record to the log; its place there makes the sequence numbers of the answer.
  private func log(_ writing: StreamWriting, of put: StreamPut) -> Reply {
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

  private func answer(_ service: AWSService, _ body: [UInt8]) -> Response {
    service.response(status: 200, body, requestID: AWSService.requestID(), nowMs: nowMs())
  }

  // MARK: Asking for streams and records

  private func ask(
    _ request: Request,
    _ operation: StreamOperation,
    _ caller: AWSCaller
  ) throws(AWSRefusal) -> Reply {
    let asked = try scratch.with { scratch throws(AWSRefusal) in
      try readBody(request, scratch) { body throws(AWSRefusal) in try StreamRequest(body) }
    }
    let call = StreamCall(operation: operation, caller: caller, asked: asked)
    let service = caller.service
    return .later { [self] handle in
      // What reads the log or changes the catalogue waits for a disk.
      let isTaken = blocking.run { [self] in
        do throws(AWSRefusal) {
          handle.finish(answer(service, try body(of: call)))
        } catch {
          metrics.refused(Self.reason(error))
          handle.finish(service.response(error, nowMs: nowMs()))
        }
      }
      if !isTaken { handle.finish(service.response(.overloaded(service), nowMs: nowMs())) }
    }
  }

  private func body(of call: StreamCall) throws(AWSRefusal) -> [UInt8] {
    switch call.operation {
    case .createStream, .deleteStream: return try change(call)
    case .listStreams, .listDeliveryStreams: return try list(call)
    case .getRecords: return try records(call)
    default: break
    }
    let stream = try described(call)
    switch call.operation {
    case .describeStreamSummary: return StreamDescriptions.summary(stream)
    case .listShards:
      return StreamDescriptions.shardList(stream, afterShard: call.asked.exclusiveStart)
    case .getShardIterator:
      let end = log.durableEnd
      return StreamDescriptions.iterator(
        try StreamDescriptions.iterator(
          for: call.asked,
          stream,
          end: (end.segment, end.offset),
          nowMs: nowMs()
        )
      )
    default:
      return StreamDescriptions.description(
        stream,
        afterShard: call.asked.exclusiveStart,
        limit: call.asked.limit
      )
    }
  }

  private func described(_ call: StreamCall) throws(AWSRefusal) -> StreamDescriptions.Stream {
    let name = try call.asked.requiredName(call.caller.service)
    return described(try stream(name, call.operation, call.caller), call)
  }

  private func described(_ stream: RecordStream, _ call: StreamCall) -> StreamDescriptions.Stream {
    StreamDescriptions.Stream(
      target: stream.target,
      createdAtMs: stream.createdAtMs,
      region: call.caller.region
    )
  }

  private func change(_ call: StreamCall) throws(AWSRefusal) -> [UInt8] {
    let name = try call.asked.requiredName(.kinesis)
    try call.caller.require(call.operation.rawValue, on: Self.resource(name, .kinesis))
    do throws(CatalogError) {
      if call.operation == .createStream {
        try aws.directory.streams.create(name, call.asked.shardCount ?? 1, call.caller.key)
      } else {
        try aws.directory.streams.delete(name, call.caller.key)
      }
    } catch {
      switch error {
      case .streamInUse:
        throw AWSRefusal(
          400,
          "ResourceInUseException",
          "Stream \(name) under account \(StreamName.account) already exists."
        )
      case .unknownStream: throw .noStream(name, .kinesis)
      case .invalid(_, let reason): throw AWSRefusal(400, "ValidationException", reason)
      default: throw .internalFailure(.kinesis)
      }
    }
    return []
  }

  private func list(_ call: StreamCall) throws(AWSRefusal) -> [UInt8] {
    try call.caller.require(call.operation.rawValue, on: "*")
    let kind: RecordStream.Kind = call.operation == .listStreams ? .kinesis : .firehose
    let all: [RecordStream]
    do throws(CatalogError) {
      all = try aws.directory.streams.all(call.caller.key.project)
    } catch {
      throw .internalFailure(call.caller.service)
    }
    let start = call.asked.exclusiveStart ?? ""
    let rest = all.filter { $0.kind == kind && $0.name > start }.sorted { $0.name < $1.name }
    let listed = rest.prefix(max(1, call.asked.limit ?? (kind == .kinesis ? 100 : 10)))
    let isMore = listed.count < rest.count
    return kind == .kinesis
      ? StreamDescriptions.names(listed.map { described($0, call) }, isMore: isMore)
      : StreamDescriptions.deliveryNames(listed.map(\.name), isMore: isMore)
  }

  /// Reads a shard's records from the log.
  ///
  /// Looks through a few megabytes of it at a time; an answer without records says where to go on.
  private func records(_ call: StreamCall) throws(AWSRefusal) -> [UInt8] {
    guard let iterator = call.asked.iterator.flatMap(ShardIterator.init) else {
      throw AWSRefusal(400, "InvalidArgumentException", "Invalid ShardIterator.")
    }
    guard let stream = aws.directory.streams.numbered(iterator.stream),
      stream.project == call.caller.key.project
    else {
      throw AWSRefusal(400, "ResourceNotFoundException", "The iterator's stream is not there.")
    }
    try call.caller.require(call.operation.rawValue, on: Self.resource(stream.name, .kinesis))
    guard nowMs() - iterator.madeAtMs <= ShardIterator.lifeMs else {
      throw AWSRefusal(
        400,
        "ExpiredIteratorException",
        "The iterator is more than 5 minutes old; ask for another one."
      )
    }
    var reading = StreamReading(iterator, limit: call.asked.limit)
    var place = JournalPosition(segment: iterator.segment, offset: iterator.offset)
    let end = log.durableEnd
    var isAtEnd = false
    var left = settings.maxStreamScanBytes
    while !isAtEnd, !reading.isFull, left > 0 {
      let step = 1 << 20
      do throws(JournalError) {
        let read = try log.read(from: place, upTo: end, maxBytes: step) { bytes, next in
          reading.take(bytes, segment: next.segment, endOffset: next.offset)
        }
        isAtEnd = read.reachedEnd
        place = read.next
      } catch {
        throw .internalFailure(.kinesis)
      }
      if isAtEnd { place = max(place, end) }
      reading.pass(to: place.segment, place.offset)
      left -= step
    }
    return reading.answer(isAtEnd: isAtEnd, nowMs: nowMs())
  }
}

/// A call that puts no records.
private struct StreamCall: Sendable {
  let operation: StreamOperation
  let caller: AWSCaller
  let asked: StreamRequest
}

extension RecordStream {
  /// What records are put into.
  fileprivate var target: StreamTarget {
    StreamTarget(id: id, name: name, shards: StreamShards(count: shards))
  }
}
