import EventRecord

/// Reads any bytes as a record of the ingest log.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  do {
    var reader = try RecordReader(UnsafeRawBufferPointer(start: start, count: count))
    while let event = try reader.next() { _ = event.record }
  } catch {
    // Damage is an error and nothing else.
  }
  return 0
}
