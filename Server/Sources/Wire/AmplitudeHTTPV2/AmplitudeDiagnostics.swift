/// `POST /v1/capture`: what Amplitude's clients count about themselves.
public enum AmplitudeDiagnostics {
  /// The answer to counts that were taken.
  public static let taken = WireAnswer(status: 200, body: Array(#"{"code":200}"#.utf8))

  /// How many events the client says it dropped; nil when the body is no JSON object.
  ///
  /// The rest of what clients tell about themselves concerns their makers.
  public static func droppedEvents(_ body: UnsafeRawBufferPointer) -> Int64? {
    var scanner = JSONScanner(body)
    var dropped: Int64 = 0
    do {
      scanner.skipByteOrderMark()
      var isMore = try scanner.enterObject()
      while isMore {
        let key = try scanner.key()
        if key.isRaw("counters"), scanner.next() == UInt8(ascii: "{") {
          dropped = try count(in: &scanner)
        } else {
          try scanner.skipValue()
        }
        isMore = try scanner.nextMember()
      }
    } catch {
      return nil
    }
    return scanner.isAtEnd() ? dropped : nil
  }

  private static func count(in scanner: inout JSONScanner) throws(BodyProblem) -> Int64 {
    var dropped: Int64 = 0
    var isMore = try scanner.enterObject()
    while isMore {
      let key = try scanner.key()
      let start = scanner.next()
      if key.isRaw("analytics.events.dropped"), start &- UInt8(ascii: "0") < 10 {
        dropped = try scanner.number().integer ?? 0
      } else {
        try scanner.skipValue()
      }
      isMore = try scanner.nextMember()
    }
    return dropped
  }
}
