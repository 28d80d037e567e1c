import EventRecord

/// What a copied value may hold at most.
struct JSONLimits {
  /// What happens to a text over its limit.
  enum LongText {
    /// The value is refused over this many bytes of UTF-8.
    case refused(maxBytes: Int)
    /// It is cut silently after this many Unicode scalars.
    case cut(maxCharacters: Int)
  }

  /// Levels of objects and lists; the value itself is the first.
  var maxDepth: Int
  /// Members of any one object.
  var maxMembers: Int
  /// Texts within the value.
  var longText: LongText
}

/// Copies JSON values without white space, in a form that every store reads the same.
///
/// Tokens are copied as they are written, in runs as long as possible. What could be read differently
/// is settled here:
/// - a key that an object has twice: the last one stays;
/// - a key written with escapes: rewritten with as few as possible, so that equal keys have equal bytes;
/// - a NUL, or half of a surrogate pair, in a text: U+FFFD;
/// - an integer outside 64 bits: the nearest double; a number beyond a double's range: a violation.
///
/// A limit that does not hold becomes `violation`; the rest of the text is then still checked, but what
/// is copied is of no use. Depth is counted before the scanner's own limit is met.
struct JSONCopier: ~Copyable {
  var scanner = JSONScanner(UnsafeRawBufferPointer(start: nil, count: 0))
  var limits = JSONLimits(maxDepth: 8, maxMembers: 256, longText: .refused(maxBytes: 8192))
  /// The first limit that did not hold since this was last set to nil.
  private(set) var violation: RejectionReason?
  /// The keys of the objects that are open.
  var keys: KeyTable
  /// The keys of the objects before, by how many keys were open.
  private let knownKeys = KnownKeys()
  /// The value of the member `session_id` of the object copied last, as offsets into the text; some
  /// clients send the session among the properties.
  private(set) var sessionValue: Range<Int>?
  /// Where the bytes start that have been passed, but not yet copied.
  private var run: UnsafePointer<UInt8>
  /// A bit for each shape of the keys that `appendMember` added to the event; see `shape`.
  private var shapes: UInt64 = 0

  /// A copier without text.
  init(seed: UInt64) {
    keys = KeyTable(seed: seed)
    run = scanner.position
  }

  /// Forgets what the event before has left.
  mutating func beginEvent() {
    violation = nil
    keys.close(0)
    shapes = 0
  }

  /// Where a copied value is.
  enum Place {
    /// In the scanned text, byte for byte as it must be: nothing was copied.
    case source(Range<Int>)
    /// In the sink.
    case sink(Range<Int>)
  }

  /// Passes the next value; copies it to the end of `sink` only if it had to be changed.
  mutating func copy(into sink: inout ByteSink) throws(BodyProblem) -> Place {
    _ = scanner.next()
    let sourceStart = scanner.offset
    let sinkStart = sink.count
    run = scanner.position
    sessionValue = nil
    try value(depth: 1, &sink)
    guard sink.count > sinkStart else { return .source(sourceStart..<scanner.offset) }
    flush(&sink)
    return .sink(sinkStart..<sink.count)
  }

  /// Copies the next value to the end of `sink`.
  mutating func append(to sink: inout ByteSink) throws(BodyProblem) {
    _ = scanner.next()
    run = scanner.position
    try value(depth: 1, &sink)
    flush(&sink)
  }

  /// Copies the next value with its key and a comma to the end of `sink`.
  ///
  /// The sink holds members of one object alone. An earlier member with the same key is taken away;
  /// `null` is no member unless it is kept.
  mutating func appendMember(
    _ key: JSONString,
    frame: Int,
    keepsNull: Bool = false,
    to sink: inout ByteSink
  ) throws(BodyProblem) {
    guard violation == nil else { return try scanner.skipValue() }
    if !keepsNull, scanner.next() == UInt8(ascii: "n"), key.escapes == .none,
      shapes & Self.shape(key.raw) == 0 || keys.find(keys.hash(key.raw), from: frame) == nil
    {
      // Some clients send every field they know, and most of them unset.
      _ = try scanner.null()
      return
    }
    if let value = try valueAsWritten() {
      return appendMember(key, asWritten: value, frame: frame, to: &sink)
    }
    guard append(key, frame: frame, to: &sink) else { return try scanner.skipValue() }
    sink.append(UInt8(ascii: ":"))
    if !keepsNull, try scanner.null() {
      let last = keys.count - 1
      sink.truncate(to: keys[last])
      keys.close(last)
      return
    }
    try append(to: &sink)
    sink.append(UInt8(ascii: ","))
  }

  /// Passes a text or number that is kept as it was written, as nearly all are; nil, and nothing passed, for
  /// any other value.
  @inline(__always)
  private mutating func valueAsWritten() throws(BodyProblem) -> UnsafeRawBufferPointer? {
    let first = scanner.next()
    let start = scanner.position
    switch first {
    case UInt8(ascii: "\""):
      let text = try scanner.string()
      if text.escapes != .replaced, text.count <= limits.longText.shortest { return text.quoted }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try scanner.number()
      if number.isOrdinary { return number.raw }
    default: break
    }
    scanner.move(to: start)
    return nil
  }

  /// Adds a member whose value was passed a moment ago and is kept as it was written.
  mutating func appendMember(
    _ key: JSONString,
    asWritten value: UnsafeRawBufferPointer,
    frame: Int,
    to sink: inout ByteSink
  ) {
    guard violation == nil else { return }
    if key.escapes == .none, value.baseAddress == UnsafeRawPointer(key.start + key.count + 2) {
      let hash = keys.hash(key.raw)
      let shape = Self.shape(key.raw)
      if shapes & shape == 0 || keys.find(hash, from: frame) == nil {
        // Nothing stands between key and value, and no member is to be taken away: one copy of both.
        keys.append(hash, start: sink.count)
        shapes |= shape
        sink.append(key.start - 1, count: key.count + 3 + value.count)
        sink.append(UInt8(ascii: ","))
        _ = hasRoom(frame)
        return
      }
    }
    guard append(key, frame: frame, to: &sink) else { return }
    sink.append(UInt8(ascii: ":"))
    sink.append(value)
    sink.append(UInt8(ascii: ","))
  }

  /// The same under a name that begins with something else, none that JSON escapes.
  mutating func appendMember(
    _ key: JSONString,
    after prefix: StaticString,
    asWritten value: UnsafeRawBufferPointer,
    frame: Int,
    to sink: inout ByteSink
  ) {
    guard violation == nil, append(key, after: prefix, frame: frame, to: &sink) else { return }
    sink.append(UInt8(ascii: ":"))
    sink.append(value)
    sink.append(UInt8(ascii: ","))
  }

  /// Adds a member's key, and takes an earlier member of that key away; false when there is no room.
  private mutating func append(
    _ key: JSONString,
    after prefix: StaticString? = nil,
    frame: Int,
    to sink: inout ByteSink
  ) -> Bool {
    let start = sink.count
    if key.escapes == .none, prefix == nil {
      sink.append(key.start - 1, count: key.count + 2)
    } else {
      key.appendCanonical(after: prefix ?? "", to: &sink)
    }
    run = scanner.position
    let text = UnsafeRawBufferPointer(rebasing: sink.bytes[(start + 1)..<(sink.count - 1)])
    shapes |= Self.shape(text)
    remember(keys.hash(text), start: start, frame: frame, &sink)
    return hasRoom(frame)
  }

  /// A bit that equal keys share: most others have another one, so that hardly any has to be hashed only to
  /// find that it is not there.
  @inline(__always)
  private static func shape(_ key: UnsafeRawBufferPointer) -> UInt64 {
    let first = UInt64(key.first ?? 0)
    return 1 &<< (first &+ 7 &* UInt64(truncatingIfNeeded: key.count))
  }

  // MARK: Values

  private mutating func value(depth: Int, _ sink: inout ByteSink) throws(BodyProblem) {
    switch next(&sink) {
    case UInt8(ascii: "\""): try string(&sink)
    case UInt8(ascii: "{"):
      guard enter(depth) else { return try scanner.skipValue() }
      try object(depth: depth, &sink)
    case UInt8(ascii: "["):
      guard enter(depth) else { return try scanner.skipValue() }
      try list(depth: depth, &sink)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(&sink)
    default: try scanner.skipScalar()
    }
  }

  /// False once a limit is broken: then what follows need only be checked.
  @inline(__always)
  private mutating func enter(_ depth: Int) -> Bool {
    if depth > limits.maxDepth { note(.tooDeep) }
    return violation == nil
  }

  private mutating func object(depth: Int, _ sink: inout ByteSink) throws(BodyProblem) {
    let frame = keys.count
    scanner.advance()
    if next(&sink) == UInt8(ascii: "}") { return scanner.advance() }
    while true {
      guard next(&sink) == UInt8(ascii: "\"") else { throw .malformed }
      let isSession = try key(frame: frame, &sink).isRaw("session_id")
      guard next(&sink) == UInt8(ascii: ":") else { throw .malformed }
      scanner.advance()
      _ = next(&sink)
      let valueStart = scanner.offset
      try value(depth: depth + 1, &sink)
      if isSession, depth == 1 { sessionValue = valueStart..<scanner.offset }
      let byte = next(&sink)
      guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") else { throw .malformed }
      scanner.advance()
      if byte == UInt8(ascii: "}") { break }
    }
    keys.close(frame)
  }

  private mutating func list(depth: Int, _ sink: inout ByteSink) throws(BodyProblem) {
    scanner.advance()
    if next(&sink) == UInt8(ascii: "]") { return scanner.advance() }
    while true {
      try value(depth: depth + 1, &sink)
      let byte = next(&sink)
      guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else { throw .malformed }
      scanner.advance()
      if byte == UInt8(ascii: "]") { return }
    }
  }

  // MARK: Keys

  @inline(__always)
  private mutating func key(
    frame: Int,
    _ sink: inout ByteSink
  ) throws(BodyProblem) -> JSONString {
    let start = sink.count + (scanner.position - run)
    let known = knownKeys[keys.count]
    if let key = scanner.string(known) {
      add(known.hash, start: start, frame: frame, &sink)
      return key
    }
    return try unknownKey(start: start, frame: frame, &sink)
  }

  @inline(never)
  private mutating func unknownKey(
    start: Int,
    frame: Int,
    _ sink: inout ByteSink
  ) throws(BodyProblem) -> JSONString {
    let key = try scanner.string()
    var hash: UInt32
    if key.escapes == .none {
      hash = keys.hash(key.raw)
      if let seen = scanner.knownKey(key, hash: hash) { knownKeys[keys.count] = seen }
    } else {
      flush(upTo: key.start - 1, &sink)
      key.appendCanonical(to: &sink)
      run = scanner.position
      hash = keys.hash(
        UnsafeRawBufferPointer(rebasing: sink.bytes[(start + 1)..<(sink.count - 1)])
      )
    }
    add(hash, start: start, frame: frame, &sink)
    return key
  }

  @inline(__always)
  private mutating func add(_ hash: UInt32, start: Int, frame: Int, _ sink: inout ByteSink) {
    guard violation == nil else { return }
    remember(hash, start: start, frame: frame, &sink)
    _ = hasRoom(frame)
  }

  /// Whether the object's members are within the limit; notes it where they are not.
  ///
  /// Each key is looked for among those before it, so their number must stay small.
  @inline(__always)
  private mutating func hasRoom(_ frame: Int) -> Bool {
    if keys.count - frame > limits.maxMembers { note(.tooManyProperties) }
    return violation == nil
  }

  /// Adds the key whose member begins at `start` of the output and whose closing quote was the last
  /// byte passed; takes an earlier member with the same key out.
  @inline(__always)
  private mutating func remember(
    _ hash: UInt32,
    start: Int,
    frame: Int,
    _ sink: inout ByteSink
  ) {
    var start = start
    if keys.find(hash, from: frame) != nil {
      start -= removeRepeated(hash, start: start, frame: frame, &sink)
    }
    keys.append(hash, start: start)
  }

  /// Returns how many bytes were taken out.
  @inline(never)
  private mutating func removeRepeated(
    _ hash: UInt32,
    start: Int,
    frame: Int,
    _ sink: inout ByteSink
  ) -> Int {
    flush(&sink)
    var from = frame
    while let index = keys.find(hash, from: from) {
      let earlier = keys[index]
      if sink.hasEqualBytes(at: earlier, and: start, count: sink.count - start) {
        let next = index + 1 < keys.count ? keys[index + 1] : start
        sink.remove(earlier..<next)
        keys.remove(index, shiftingBy: next - earlier)
        return next - earlier
      }
      from = index + 1
    }
    return 0
  }

  // MARK: Texts and numbers

  @inline(__always)
  private mutating func string(_ sink: inout ByteSink) throws(BodyProblem) {
    let text = try scanner.string()
    guard text.escapes == .replaced || text.count > limits.longText.shortest else { return }
    rewrite(text, &sink)
  }

  @inline(never)
  private mutating func rewrite(_ text: JSONString, _ sink: inout ByteSink) {
    var maxCharacters = Int.max
    switch limits.longText {
    case .refused(let maxBytes):
      if text.textBytes > maxBytes { note(.stringTooLong) }
      guard text.escapes == .replaced else { return }
    case .cut(let characters): maxCharacters = characters
    }
    flush(upTo: text.start, &sink)
    text.appendRewritten(to: &sink, maxCharacters: maxCharacters)
    run = text.start + text.count
  }

  @inline(__always)
  private mutating func number(_ sink: inout ByteSink) throws(BodyProblem) {
    let number = try scanner.number()
    guard !number.isOrdinary else { return }
    settle(number, &sink)
  }

  @inline(never)
  private mutating func settle(_ number: JSONNumber, _ sink: inout ByteSink) {
    switch number.form {
    case .asWritten: break
    case .outOfRange: note(.numberOutOfRange)
    case .rewritten(let text):
      flush(upTo: number.start, &sink)
      for byte in text.utf8 { sink.append(byte) }
      run = scanner.position
    }
  }

  /// Notes that a limit, or another rule of the event, does not hold; the first one counts.
  mutating func note(_ reason: RejectionReason) {
    violation = violation ?? reason
  }

  // MARK: Runs

  /// The next byte that is not white space; white space on the way is left out of the copy.
  @inline(__always)
  private mutating func next(_ sink: inout ByteSink) -> UInt8 {
    let before = scanner.position
    let byte = scanner.next()
    if scanner.position != before {
      flush(upTo: before, &sink)
      run = scanner.position
    }
    return byte
  }

  /// Copies what has been passed since `run`.
  @inline(__always)
  private mutating func flush(_ sink: inout ByteSink) {
    flush(upTo: scanner.position, &sink)
    run = scanner.position
  }

  private func flush(upTo end: UnsafePointer<UInt8>, _ sink: inout ByteSink) {
    sink.append(run, count: end - run)
  }
}

extension JSONLimits.LongText {
  /// Texts of up to this many bytes as written are within the limit without looking.
  fileprivate var shortest: Int {
    switch self {
    case .refused(let maxBytes): maxBytes
    case .cut(let maxCharacters): maxCharacters
    }
  }
}

extension ByteSink {
  /// Compares two stretches; the second begins later and ends within the sink.
  fileprivate func hasEqualBytes(at first: Int, and second: Int, count: Int) -> Bool {
    guard first + count <= second else { return false }
    let bytes = self.bytes
    return bytes[first..<first + count].elementsEqual(bytes[second..<second + count])
  }
}
