extension UploadCore {
  mutating func flush(through: UInt64, _ kind: FlushKind) -> [Effect] {
    let joins = flushThrough != nil
    flushThrough = max(through, flushThrough ?? 0)
    if kind == .last { isLastPass = true }
    switch phase {
    case .ready: return proceed()
    case .sending, .settling: return []
    case .backingOff where kind != .ordinary || (rules.flushEndsWait && !joins),
      .holding where kind == .last:
      phase = .ready
      return proceed()
    // A flush that waits to send again takes this one along.
    case .backingOff where joins: return []
    case .backingOff, .holding, .stopped: return finishFlush(oldest == nil ? nil : problem)
    }
  }

  mutating func finishFlush(_ problem: DeliveryProblem?) -> [Effect] {
    guard flushThrough != nil else { return [] }
    flushThrough = nil
    isLastPass = false
    resends = 0
    return [.finishFlush(problem)]
  }
}
