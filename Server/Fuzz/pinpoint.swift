import Wire

nonisolated(unsafe) private var scratch = WireScratch()  // Safety: the fuzzer has one thread.

/// Decodes any bytes as the requests of Pinpoint's clients and reads back what is let through.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let body = UnsafeRawBufferPointer(start: start, count: count)
  _ = try? PinpointEndpointUpdate.batch(body)
  let outcome = PinpointEvents.decode(
    body,
    app: "0123456789abcdef0123456789abcdef",
    project: 1,
    context: WireContext(receivedAtMs: 1_764_581_500_000),
    scratch: scratch
  ) { $0.map(verdict) }
  guard case .accepted(let acceptance) = outcome else { return 0 }
  precondition(acceptance.answer.body.withUnsafeBytes { JSONCheck.isValid($0) })
  if acceptance.events > 0 { checkRecord(acceptance.record, events: acceptance.events) }
  return 0
}

private func verdict(_ embedded: PinpointEvents.Embedded) -> PinpointEvents.Verdict {
  var verdict = PinpointEvents.Verdict(deviceID: embedded.id)
  do throws(AWSRefusal) {
    var endpoint = PinpointEndpoint(id: embedded.id, app: "app", createdAtMs: 0)
    let update = try PinpointEndpointUpdate(embedded.json)
    endpoint.apply(update)
    verdict.change = update
    verdict.context = endpoint.context
    precondition(Array(endpoint.json.utf8).withUnsafeBytes { JSONCheck.isValid($0) })
  } catch {
    verdict.refusal = error.message
  }
  return verdict
}
