import Wire

nonisolated(unsafe) private var scratch = WireScratch()  // Safety: the fuzzer has one thread.

/// Takes any bytes as the JSON in a form of Amplitude's older clients.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let json = String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  for purpose in [AmplitudeForm.Purpose.upload, .identify, .groupIdentify] {
    let outcome = AmplitudeForm.decode(
      [("api_key", "k"), ("event", json), ("identification", json), ("upload_time", json)],
      for: purpose,
      project: { _ in 1 },
      context: WireContext(receivedAtMs: 1_764_581_500_000),
      scratch: &scratch
    )
    guard case .accepted(let acceptance) = outcome, acceptance.events > 0 else { continue }
    checkRecord(acceptance.record, events: acceptance.events)
  }
  return 0
}
