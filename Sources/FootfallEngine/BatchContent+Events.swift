extension BatchContent {
  /// The stored bytes of each event, in order.
  package var eachEvent: [ArraySlice<UInt8>] {
    events.split(separator: UInt8(ascii: "\n")).map { line in
      line.last == UInt8(ascii: ",") ? line.dropLast() : line
    }
  }
}
