import EventRecord
import Wire

// Safety: the fuzzer has one thread.
nonisolated(unsafe) private var wire = WireScratch()
nonisolated(unsafe) private let records = StreamScratch()

/// Decodes any bytes as the requests of Kinesis's and Firehose's clients and reads back what is let
/// through.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let body = UnsafeRawBufferPointer(start: start, count: count)
  _ = try? StreamRequest(body)
  for (service, isSingle) in [(AWSService.kinesis, false), (.kinesis, true), (.firehose, false)] {
    let put: StreamPut
    do throws(AWSRefusal) {
      put = try StreamPut(body, to: service, isSingle: isSingle, scratch: records)
    } catch {
      continue
    }
    let writing = put.write(
      to: StreamTarget(id: 1, name: put.streamName, shards: StreamShards(count: 3)),
      project: 1,
      context: WireContext(receivedAtMs: 1_764_581_500_000),
      scratch: records,
      wire: &wire
    ) { shard, _ in shard != 2 }
    let answer = put.answer(writing, segment: 1, endOffset: 1 << 20)
    precondition(isSingle || answer.withUnsafeBytes { JSONCheck.isValid($0) })
    if !writing.record.isEmpty { checkRecord(writing.record, events: writing.events) }
  }
  return 0
}
