/// The content of a batch file: events as they will be sent, byte for byte, on every attempt.
package struct SealedBatch: Sendable, Equatable {
  /// The events as JSON, `,` and a line feed between two of them.
  ///
  /// A line feed never stands inside an event, since JSON escapes it.
  package private(set) var events: [UInt8] = []
  /// The number of events.
  package private(set) var count = 0
  /// What the events have in common, as the caller said when they were written.
  package private(set) var commonContent: [UInt8]

  static let separator: [UInt8] = [UInt8(ascii: ","), 0x0a]

  init(commonContent: [UInt8] = []) {
    self.commonContent = commonContent
  }

  /// A batch of events that come from elsewhere; none of them has a line feed.
  package init(events: [[UInt8]]) {
    self.init(
      events: Array(events.joined(separator: Self.separator)),
      count: events.count,
      commonContent: []
    )
  }

  init(events: [UInt8], count: Int, commonContent: [UInt8]) {
    self.events = events
    self.count = count
    self.commonContent = commonContent
  }

  /// How many bytes the events would have with one more of `bytes` bytes.
  func bytes(with bytes: Int) -> Int {
    count == 0 ? bytes : events.count + Self.separator.count + bytes
  }

  mutating func append(_ event: UnsafeRawBufferPointer) {
    if count > 0 { events += Self.separator }
    events.append(contentsOf: event)
    count += 1
  }

  /// The bytes of some events, joined as in `events`; an empty range for positions that are none.
  package func bytes(of range: Range<Int>) -> ArraySlice<UInt8> {
    guard range.lowerBound > 0 || range.upperBound < count else { return events[...] }
    var starts = [0]
    for index in events.indices where events[index] == 0x0a { starts.append(index + 1) }
    starts.append(events.count + Self.separator.count)
    guard range.lowerBound >= 0, range.upperBound < starts.count, !range.isEmpty else { return [] }
    return events[starts[range.lowerBound]..<starts[range.upperBound] - Self.separator.count]
  }

  /// The bytes of each event, in order.
  package var split: [ArraySlice<UInt8>] {
    var rest = events[...]
    var found: [ArraySlice<UInt8>] = []
    found.reserveCapacity(count)
    while let end = rest.firstIndex(of: 0x0a) {
      found.append(rest[..<(end - 1)])
      rest = rest[(end + 1)...]
    }
    found.append(rest)
    return found
  }
}
