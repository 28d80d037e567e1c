/// Writes property values within the limits, counting what it leaves out.
///
/// Knows what happens to values by themselves; what ends the whole event, or cuts keys, is for
/// `EventLimits.fit`.
package struct ValueEncoder {
  let limits: EventLimits
  /// What was left out or cut so far.
  package private(set) var losses = DropCounts()
  private var propertiesLeft: Int
  /// Whether texts are cut by their bytes, which needs no look at them before.
  private let cutsByBytes: Bool

  /// An encoder for the values of one event.
  package init(limits: EventLimits) {
    self.limits = limits
    propertiesLeft = limits.properties
    cutsByBytes = limits.text.unit == .utf8 && limits.text.excess == .cut
  }

  /// Writes properties as an object; `depth` is the level of that object, 1 for the outermost.
  package mutating func encode(
    _ properties: Properties,
    depth: Int = 1,
    into buffer: inout JSONBuffer
  ) {
    buffer.append(UInt8(ascii: "{"))
    var isFirst = true
    for (key, value) in properties {
      encode(key, value, depth: depth, isFirst: &isFirst, into: &buffer)
    }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Writes properties as further members of the object that is being written: a comma before each.
  package mutating func encodeMembers(_ properties: Properties, into buffer: inout JSONBuffer) {
    var isFirst = false
    for (key, value) in properties {
      encode(key, value, depth: 1, isFirst: &isFirst, into: &buffer)
    }
  }

  /// Writes identify operations as an object of operations, each with its properties.
  package mutating func encode(_ operations: IdentifyOperations, into buffer: inout JSONBuffer) {
    buffer.append(UInt8(ascii: "{"))
    var isFirstOperation = true
    for (operation, entries) in operations.byOperation {
      if !isFirstOperation { buffer.append(UInt8(ascii: ",")) }
      isFirstOperation = false
      buffer.append(quoted: operation.rawValue)
      guard operation != .clearAll else {
        buffer.append(":\"-\"")
        continue
      }
      buffer.append(":{")
      var isFirst = true
      for entry in entries {
        encode(entry.key, entry.value, depth: 1, isFirst: &isFirst, into: &buffer)
      }
      buffer.append(UInt8(ascii: "}"))
    }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Writes group names by type, types in alphabetical order.
  mutating func encode(groups: [String: [String]], into buffer: inout JSONBuffer) {
    buffer.append(UInt8(ascii: "{"))
    var isFirst = true
    for (type, names) in groups.sorted(by: { $0.key < $1.key }) {
      let values = PropertyValue.array(names.map(PropertyValue.string))
      encode(type, values, depth: 1, isFirst: &isFirst, into: &buffer)
    }
    buffer.append(UInt8(ascii: "}"))
  }

  private mutating func encode(
    _ key: String,
    _ value: PropertyValue,
    depth: Int,
    isFirst: inout Bool,
    into buffer: inout JSONBuffer
  ) {
    if let reason = reasonToLeaveOut(key, value, depth: depth) {
      losses.count(reason)
      return
    }
    propertiesLeft -= 1
    if !isFirst { buffer.append(UInt8(ascii: ",")) }
    isFirst = false
    buffer.append(quoted: key)
    buffer.append(UInt8(ascii: ":"))
    encode(value, depth: depth, into: &buffer)
  }

  private func reasonToLeaveOut(
    _ key: String,
    _ value: PropertyValue,
    depth: Int
  ) -> DropReason? {
    if propertiesLeft == 0 { return .propertyOverLimit }
    if !limits.key.allows(key) { return .propertyOverLimit }
    return reasonToLeaveOut(value, depth: depth)
  }

  /// `depth` is the level of the container the value stands in.
  private func reasonToLeaveOut(_ value: PropertyValue, depth: Int) -> DropReason? {
    switch value {
    case .double(let number): number.isFinite ? nil : .propertyNotFinite
    case .array, .object: depth < limits.depth ? nil : .propertyTooDeep
    case .string(let text):
      cutsByBytes || limits.text.excess == .cut || limits.text.allows(text)
        ? nil : .propertyOverLimit
    case .integer, .boolean, .null: nil
    }
  }

  private mutating func encode(
    _ value: PropertyValue,
    depth: Int,
    into buffer: inout JSONBuffer
  ) {
    switch value {
    case .string(let text):
      if cutsByBytes {
        if buffer.append(quoted: text, limit: limits.text.most) { losses.count(.textCut) }
      } else {
        encode(text, into: &buffer)
      }
    case .integer(let number): buffer.append(number)
    case .double(let number): buffer.append(number)
    case .boolean(let isTrue): isTrue ? buffer.append("true") : buffer.append("false")
    case .null: buffer.append("null")
    case .array(let values): encode(values, depth: depth + 1, into: &buffer)
    case .object(let properties): encode(properties, depth: depth + 1, into: &buffer)
    }
  }

  /// Writes a text whose limit counts something other than bytes.
  private mutating func encode(_ text: String, into buffer: inout JSONBuffer) {
    guard !limits.text.allows(text) else {
      buffer.append(quoted: text)
      return
    }
    buffer.append(quoted: limits.text.prefix(of: text))
    losses.count(.textCut)
  }

  private mutating func encode(
    _ values: [PropertyValue],
    depth: Int,
    into buffer: inout JSONBuffer
  ) {
    buffer.append(UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      if let reason = reasonToLeaveOut(value, depth: depth) {
        losses.count(reason)
        continue
      }
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      isFirst = false
      encode(value, depth: depth, into: &buffer)
    }
    buffer.append(UInt8(ascii: "]"))
  }
}

extension JSONBuffer {
  /// Writes properties as an object within the limits of Footfall v1.
  package mutating func append(_ properties: Properties) {
    var encoder = ValueEncoder(limits: EventLimits())
    encoder.encode(properties, depth: 1, into: &self)
  }
}
