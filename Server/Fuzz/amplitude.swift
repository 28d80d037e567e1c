import Wire

nonisolated(unsafe) private var scratch = WireScratch()  // Safety: the fuzzer has one thread.

/// Decodes any bytes as an Amplitude request and reads back what is let through.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let outcome = AmplitudeHTTPV2.decode(
    UnsafeRawBufferPointer(start: start, count: count),
    project: { _ in 1 },
    context: WireContext(receivedAtMs: 1_764_581_500_000),
    scratch: &scratch
  )
  guard case .accepted(let acceptance) = outcome, acceptance.events > 0 else { return 0 }
  checkRecord(acceptance.record, events: acceptance.events)
  return 0
}
