internal import Catalog
internal import FootfallJournal
internal import FootfallSystem
internal import HTTPServing
internal import IngestLog
internal import Wire

extension IngestRoutes {
  /// Answers what puts no records.
  func ask(
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
    try call.asked.checkLimit(of: call.operation)
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
      return StreamDescriptions.shardList(
        stream,
        afterShard: call.asked.exclusiveStart,
        limit: call.asked.limit
      )
    case .getShardIterator:
      return StreamDescriptions.iterator(try iterator(for: call, stream))
    default:
      return StreamDescriptions.description(
        stream,
        afterShard: call.asked.exclusiveStart,
        limit: call.asked.limit
      )
    }
  }

  private func iterator(
    for call: StreamCall,
    _ stream: StreamDescriptions.Stream
  ) throws(AWSRefusal) -> ShardIterator {
    let end = log.durableEnd
    let iterator = try StreamDescriptions.iterator(
      for: call.asked,
      stream,
      end: (end.segment, end.offset),
      nowMs: nowMs()
    )
    guard call.asked.iteratorType?.hasSuffix("SEQUENCE_NUMBER") == true,
      let number = call.asked.sequenceNumber, let position = StreamPosition(sequenceNumber: number)
    else { return iterator }
    var isForeign = false
    do throws(JournalError) {
      _ = try log.read(
        from: JournalPosition(segment: iterator.segment, offset: iterator.offset),
        upTo: end,
        maxBytes: 1 << 12
      ) { record, next in
        guard next == JournalPosition(segment: position.segment, offset: position.endOffset) else {
          return
        }
        isForeign = position.isForeign(
          in: record,
          stream: iterator.stream,
          shard: iterator.shard
        )
      }
    } catch {
      throw .internalFailure(.kinesis)
    }
    guard !isForeign else {
      throw AWSRefusal(
        400,
        "InvalidArgumentException",
        "StartingSequenceNumber \(number) used in GetShardIterator on shard \(call.asked.shardID ?? "") in "
          + "stream \(stream.target.name) is invalid because it did not come from this shard of it."
      )
    }
    return iterator
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
    let erased: StreamErased
    do { erased = try self.erased() } catch { throw .internalFailure(.kinesis) }
    var reading = StreamReading(iterator, limit: call.asked.limit, erased: erased)
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
