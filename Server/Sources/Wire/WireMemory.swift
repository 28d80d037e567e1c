import EventRecord

/// A stretch of bytes in one of the places that an event's texts are in until it is written.
struct Slice {
  /// The places.
  enum Area {
    /// The body.
    case body
    /// `WireMemory.text`.
    case text
    /// `WireMemory.operations`.
    case operations
    /// `WireMemory.defaults`.
    case defaults
  }

  var area = Area.body
  var start = 0
  var count = 0

  /// No bytes.
  static let empty = Slice()
}

/// What decoding one body works on; reused from request to request.
struct WireMemory: ~Copyable {
  /// Stands on the body.
  var json: JSONCopier
  /// The body.
  private(set) var body = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Texts of the current event that are not in the body as they must be.
  var text = ByteSink()
  /// Operations of the current event that were not sent as such.
  var operations = ByteSink()
  /// Members of the current event's context.
  var context = ByteSink()
  /// Texts that hold for all events of the request.
  var defaults = ByteSink()
  /// The client's description, complete.
  var client = ByteSink()
  /// The answer's entries on refused events.
  var rejected = ByteSink()
  var writer = RecordWriter()
  var seen: SeenKeys
  /// The keys of the events before.
  let fields = KnownKeys()

  /// Empty memory.
  init(seed: UInt64) {
    json = JSONCopier(seed: seed)
    seen = SeenKeys(seed: seed)
  }

  /// Starts on a body.
  mutating func begin(_ body: UnsafeRawBufferPointer, limits: JSONLimits) {
    self.body = body
    json.scanner = JSONScanner(body)
    json.limits = limits
    json.beginEvent()
    defaults.removeAll(keepingAtMost: 256 * 1024)
    client.removeAll(keepingAtMost: 256 * 1024)
    rejected.removeAll(keepingAtMost: 256 * 1024)
    text.removeAll(keepingAtMost: 1024 * 1024)
    operations.removeAll(keepingAtMost: 1024 * 1024)
    context.removeAll(keepingAtMost: 1024 * 1024)
  }

  /// Starts on an event.
  mutating func beginEvent() {
    json.beginEvent()
    text.removeAll()
    operations.removeAll()
    context.removeAll()
  }

  /// The bytes of a slice; valid until its place changes.
  ///
  /// Inlined, because a call would copy all of the memory's fields to lend them out.
  @inline(__always)
  func bytes(_ slice: Slice) -> UnsafeRawBufferPointer {
    let place =
      switch slice.area {
      case .body: body
      case .text: text.bytes
      case .operations: operations.bytes
      case .defaults: defaults.bytes
      }
    return UnsafeRawBufferPointer(
      rebasing: place[slice.start..<slice.start + slice.count]
    )
  }

  /// The text that a string of the body stands for.
  mutating func text(of string: JSONString) -> Slice {
    guard string.escapes != .none else {
      let start =
        UnsafeRawPointer(string.start) - (body.baseAddress ?? UnsafeRawPointer(string.start))
      return Slice(area: .body, start: start, count: string.count)
    }
    let start = text.count
    string.appendText(to: &text)
    return Slice(area: .text, start: start, count: text.count - start)
  }

  /// The key as it is compared, without escapes; valid until `text` changes.
  @inline(__always)
  mutating func plain(_ key: JSONString) -> JSONString {
    key.escapes == .none ? key : unescaped(key)
  }

  private mutating func unescaped(_ key: JSONString) -> JSONString {
    let start = text.count
    key.appendText(to: &text)
    return JSONString(start: text.base + start, count: text.count - start, escapes: .none)
  }

  /// A text of our own.
  mutating func text(_ literal: StaticString) -> Slice {
    let start = text.count
    text.append(literal)
    return Slice(area: .text, start: start, count: text.count - start)
  }

  /// What an id field held.
  enum IDValue {
    /// Explicitly nothing.
    case null
    case text(Slice)
    /// An integer of 64 bits; the slice is its decimal text.
    case integer(Slice)
    /// Something else.
    case invalid
  }

  /// Takes a value that is a text, or an integer standing for its decimal text.
  mutating func idValue() throws(BodyProblem) -> IDValue {
    switch json.scanner.next() {
    case UInt8(ascii: "\""): return .text(text(of: try json.scanner.string()))
    case UInt8(ascii: "n"):
      _ = try json.scanner.null()
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = json.scanner.offset
      let number = try json.scanner.number()
      guard number.integer != nil else { return .invalid }
      return .integer(Slice(area: .body, start: start, count: number.count))
    default:
      try json.scanner.skipValue()
      return .invalid
    }
  }

  /// Takes any value, as the stores read it.
  mutating func value() throws(BodyProblem) -> Slice {
    switch try json.copy(into: &text) {
    case .source(let range): Slice(area: .body, start: range.lowerBound, count: range.count)
    case .sink(let range): Slice(area: .text, start: range.lowerBound, count: range.count)
    }
  }

  /// What a field that should hold an object held.
  enum ObjectValue {
    /// `null` or `{}`.
    case empty
    case object(Slice)
    /// Something else.
    case invalid
  }

  /// Takes a value that is an object, as the stores read it.
  mutating func objectValue() throws(BodyProblem) -> ObjectValue {
    switch json.scanner.next() {
    case UInt8(ascii: "{"):
      let slice = try value()
      return slice.count > 2 ? .object(slice) : .empty
    case UInt8(ascii: "n"):
      _ = try json.scanner.null()
      return .empty
    default:
      try json.scanner.skipValue()
      return .invalid
    }
  }

  /// The current event's context as one object; empty without members.
  mutating func closedContext() -> UnsafeRawBufferPointer {
    context.closeObject()
    return context.bytes
  }
}

extension ByteSink {
  /// Starts an object in an empty sink.
  mutating func openObject() {
    if count == 0 { append(UInt8(ascii: "{")) }
  }

  /// Ends an object whose members each end in a comma; without members nothing is left.
  mutating func closeObject() {
    guard count > 1 else { return removeAll() }
    truncate(to: count - 1)
    append(UInt8(ascii: "}"))
  }
}
