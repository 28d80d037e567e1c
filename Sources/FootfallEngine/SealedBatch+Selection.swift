import FootfallOutbox

extension SealedBatch {
  /// The bytes of some events, ascending by their place, joined as the batch joins them.
  func bytes(of events: [Int]) -> ArraySlice<UInt8> {
    guard let first = events.first, let last = events.last else { return [] }
    if last - first == events.count - 1 { return bytes(of: first..<last + 1) }
    let pieces = events.map { bytes(of: $0..<$0 + 1) }
    return Array(pieces.joined(separator: [UInt8(ascii: ","), 0x0a]))[...]
  }
}
