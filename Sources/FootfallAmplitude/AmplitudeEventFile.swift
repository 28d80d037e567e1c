import FootfallCore

/// The events of a file that the vendor's client wrote.
///
/// Version 2 is records of JSON, each with a NUL behind it; version 1 one list, whose brackets and
/// commas may be missing where the process ended. What is cut short takes no neighbour with it.
/// Source: `amplitude.md` section 2.11.
struct AmplitudeEventFile {
  /// The events, in the order they were written.
  private(set) var events: [Event] = []
  /// The texts that are none.
  private(set) var malformed: [String] = []

  /// Reads a file; `name` is its own, and `milliseconds` the time of events that have none.
  init(_ bytes: [UInt8], name: String, milliseconds: Int64) {
    let records = Self.isVersion2(bytes, name) ? bytes.split(separator: 0) : Self.objects(bytes)
    for (place, record) in records.enumerated() {
      guard var event = AmplitudeEventReader.read(record) else {
        malformed.append(String(decoding: record, as: UTF8.self))
        continue
      }
      event.complete(as: "\(name)-\(place)", milliseconds: milliseconds)
      events.append(event)
    }
  }

  /// How many broken texts are told of, and how long each may be: no error report is worth more.
  private static let toldTexts = 10
  private static let toldCharacters = 1_024

  /// Broken texts as a JSON list, for the server to see; nil for none.
  static func report(_ malformed: [String]) -> [UInt8]? {
    guard !malformed.isEmpty else { return nil }
    let texts = malformed.prefix(toldTexts).map { String($0.prefix(toldCharacters)) }
    var buffer = JSONBuffer()
    for text in texts {
      buffer.append(UInt8(ascii: buffer.count == 0 ? "[" : ","))
      buffer.append(quoted: text)
    }
    buffer.append(UInt8(ascii: "]"))
    return buffer.bytes
  }

  // MARK: Versions

  private static func isVersion2(_ bytes: [UInt8], _ name: String) -> Bool {
    name.hasPrefix("v2-") || bytes.contains(0)
  }

  /// The objects of a list, however it begins and ends; what is left of one that was cut comes last.
  static func objects(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var objects: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while true {
      rest = rest.drop { isBetween($0) }
      guard !rest.isEmpty else { return objects }
      let end = endOfObject(rest) ?? rest.endIndex
      objects.append(rest[..<end])
      rest = rest[end...]
    }
  }

  private static func isBetween(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "[],".utf8.contains(byte)
  }

  /// The place behind the object that the bytes begin with; nil if it does not end, or is none.
  private static func endOfObject(_ bytes: ArraySlice<UInt8>) -> Int? {
    var (depth, isText, isEscaped) = (0, false, false)
    for (place, byte) in zip(bytes.indices, bytes) {
      if isEscaped {
        isEscaped = false
      } else if isText {
        isEscaped = byte == UInt8(ascii: "\\")
        isText = byte != UInt8(ascii: "\"")
      } else {
        isText = byte == UInt8(ascii: "\"")
        if byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "}") { depth -= 1 }
      }
      if depth == 0, !isText { return byte == UInt8(ascii: "}") ? place + 1 : nil }
    }
    return nil
  }
}

extension Event {
  /// Gives an event that an earlier client left the id and time it lacks; the same each time it is
  /// read.
  mutating func complete(as place: String, milliseconds now: Int64) {
    if id.isEmpty { identifier = .own("\(place)-\(milliseconds)") }
    if milliseconds <= 0 { milliseconds = now }
  }
}
