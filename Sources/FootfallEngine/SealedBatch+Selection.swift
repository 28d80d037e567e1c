import FootfallOutbox

extension SealedBatch {
  /// The bytes of some events, ascending by their place, joined as the batch joins them.
  func bytes(of events: [Int]) -> ArraySlice<UInt8> {
    guard let first = events.first, let last = events.last else { return [] }
    if last - first == events.count - 1 { return bytes(of: first..<last + 1) }
    let all = split
    return Array(events.map { all[$0] }.joined(separator: [UInt8(ascii: ","), 0x0a]))[...]
  }

  /// Some of its events, as they are sent.
  func part(_ events: [Int]) -> BatchContent {
    BatchContent(events: bytes(of: events), count: events.count, commonContent: commonContent)
  }
}
