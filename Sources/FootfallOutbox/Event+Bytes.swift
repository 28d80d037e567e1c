package import FootfallCore

/// A whole event as bytes, for one that waits on disk and is completed later: everything it carries
/// but its callback.
///
/// A version, then fields of (kind, length, bytes). The frame it lies in has the checksum.
extension Event {
  private static let version: UInt8 = 1

  private enum Field: UInt8 {
    case name = 1
    case properties
    /// Two numbers of 8 bytes.
    case madeID
    case ownID
    case milliseconds
    /// One byte of flags.
    case flags
    case sequence
    case deviceID
    case userID
    case sessionNumber
    case sessionText
    /// Properties: lists of names by type.
    case groups
    /// Operation, key and value, one after the other.
    case userOperations
    case groupOperations
    /// Properties, sorted by name.
    case context
    /// Properties as they are on the wire, in the place of operations.
    case writtenUserProperties
    case writtenGroupProperties
  }

  private enum Flag {
    static let isBackDated: UInt8 = 1
    static let isTest: UInt8 = 2
  }

  /// The event for the disk; equal events give equal bytes.
  package var bytes: [UInt8] {
    var bytes = [Self.version]
    func add(_ field: Field, _ fill: (inout [UInt8]) -> Void) {
      var content: [UInt8] = []
      fill(&content)
      bytes.append(field.rawValue)
      bytes.append(counted: content)
    }
    func add(_ field: Field, _ text: String?) {
      if let text { add(field) { $0 += Array(text.utf8) } }
    }
    func add(_ field: Field, _ number: Int64) { add(field) { $0.append(littleEndian: number) } }

    add(.name, name.text)
    switch identifier {
    case .made(let id):
      add(.madeID) {
        $0.append(littleEndian: id.high)
        $0.append(littleEndian: id.low)
      }
    case .own(let id): add(.ownID, id)
    }
    add(.milliseconds, milliseconds)
    add(.sequence, sequence)
    let flags = (isBackDated ? Flag.isBackDated : 0) | (isTest ? Flag.isTest : 0)
    if flags != 0 { add(.flags) { $0.append(flags) } }
    add(.deviceID, deviceID)
    add(.userID, userID)
    switch sessionID {
    case .number(let number): add(.sessionNumber, number)
    case .text(let text): add(.sessionText, text)
    case nil: break
    }
    if !properties.isEmpty { add(.properties) { $0.append(properties) } }
    if !groups.isEmpty { add(.groups) { $0.append(Self.properties(of: groups)) } }
    func add(_ operations: IdentifyOperations?, as field: Field, orAs writtenField: Field) {
      guard let operations else { return }
      if let written = operations.written {
        add(writtenField) { $0.append(written) }
      } else {
        add(field) { Self.append(operations, to: &$0) }
      }
    }
    add(userOperations, as: .userOperations, orAs: .writtenUserProperties)
    add(groupOperations, as: .groupOperations, orAs: .writtenGroupProperties)
    if !context.isEmpty {
      let pairs = context.values.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
      add(.context) { $0.append(Properties(pairs: pairs)) }
    }
    return bytes
  }

  /// Reads what `bytes` gave; nil if it is damaged or of another version.
  ///
  /// Fields that later versions add are passed over.
  package init?(bytes: [UInt8]) {
    guard let event = bytes.withUnsafeBytes({ Self.read($0) }) else { return nil }
    self = event
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) -> Event? {
    var reader = ByteReader(bytes)
    guard reader.number(UInt8.self) == version else { return nil }
    var event = Event("", identifier: .own(""), milliseconds: 0)
    var found: Set<Field> = []
    while !reader.isAtEnd {
      guard let kind: UInt8 = reader.number(), let length: UInt32 = reader.number(),
        let content = reader.take(Int(clamping: length))
      else {
        return nil
      }
      guard let field = Field(rawValue: kind) else { continue }
      guard event.take(field, content) else { return nil }
      found.insert(field)
    }
    let hasID = found.contains(.madeID) || found.contains(.ownID)
    return hasID && found.isSuperset(of: [.name, .milliseconds, .sequence]) ? event : nil
  }

  /// Whether the field could be read.
  private mutating func take(_ field: Field, _ content: UnsafeRawBufferPointer) -> Bool {
    var reader = ByteReader(content)
    let text = String(decoding: content, as: UTF8.self)
    switch field {
    case .name: name = EventName(text)
    case .ownID: identifier = .own(text)
    case .deviceID: deviceID = text
    case .userID: userID = text
    case .sessionText: sessionID = .text(text)
    case .madeID:
      guard let high: UInt64 = reader.number(), let low: UInt64 = reader.number() else {
        return false
      }
      identifier = .made(EventID(high: high, low: low))
    case .milliseconds, .sequence, .sessionNumber:
      guard let number: Int64 = reader.number() else { return false }
      take(field, number)
    case .flags:
      guard let flags: UInt8 = reader.number() else { return false }
      isBackDated = flags & Flag.isBackDated != 0
      isTest = flags & Flag.isTest != 0
    case .properties, .groups, .context, .writtenUserProperties, .writtenGroupProperties:
      guard let properties = reader.properties() else { return false }
      take(field, properties)
    case .userOperations, .groupOperations:
      guard let operations = Self.operations(&reader) else { return false }
      if field == .userOperations {
        userOperations = operations
      } else {
        groupOperations = operations
      }
    }
    return true
  }

  private mutating func take(_ field: Field, _ number: Int64) {
    switch field {
    case .milliseconds: milliseconds = number
    case .sequence: sequence = number
    default: sessionID = .number(number)
    }
  }

  private mutating func take(_ field: Field, _ values: Properties) {
    switch field {
    case .groups:
      for (type, value) in values {
        guard case .array(let names) = value else { continue }
        groups[type] = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
      }
    case .context:
      for (key, value) in values { context[ContextField(rawValue: key)] = value }
    case .writtenUserProperties: userOperations = IdentifyOperations(asWritten: values)
    case .writtenGroupProperties: groupOperations = IdentifyOperations(asWritten: values)
    default: properties = values
    }
  }

  private static func properties(of groups: [String: [String]]) -> Properties {
    Properties(groups.mapValues { .array($0.map { .string($0) }) })
  }

  private static func append(_ operations: IdentifyOperations, to bytes: inout [UInt8]) {
    for entry in operations.entries {
      bytes.append(counted: entry.operation.rawValue)
      bytes.append(counted: entry.key)
      bytes.append(entry.value)
    }
  }

  private static func operations(_ reader: inout ByteReader) -> IdentifyOperations? {
    var entries: [(operation: IdentifyOperation, key: String, value: PropertyValue)] = []
    while !reader.isAtEnd {
      guard let name = reader.text(), let operation = IdentifyOperation(rawValue: name),
        let key = reader.text(), let value = reader.value()
      else {
        return nil
      }
      entries.append((operation, key, value))
    }
    return IdentifyOperations(entries)
  }
}
