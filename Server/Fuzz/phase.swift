import Wire

nonisolated(unsafe) private var scratch = WireScratch()  // Safety: the fuzzer has one thread.

/// Takes any bytes as a request of Phase's clients, twice: the second time with what the first one left
/// to be known, which also goes through its text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  for path in PhasePath.allCases {
    let body = UnsafeRawBufferPointer(start: start, count: count)
    guard case .success(let call) = PhaseSDK.read(body, path: path) else { continue }
    var known = PhaseKnowledge()
    for receivedAtMs in [1_764_581_500_000, 1_764_581_501_000] as [Int64] {
      let context = PhaseContext(path: path, project: 1, receivedAtMs: receivedAtMs)
      let decision = call.decide(known, context, scratch: &scratch)
      if decision.acceptance.events > 0 {
        checkRecord(decision.acceptance.record, events: decision.acceptance.events)
      }
      for (id, device) in decision.changes.devices {
        known.devices[id] = PhaseDevice(text: device.text)
        precondition(known.devices[id] == device)
      }
      for (id, session) in decision.changes.sessions {
        known.sessions[id] = PhaseSession(text: session.text)
        precondition(known.sessions[id] == session)
      }
    }
  }
  return 0
}
