/// The header fields of one request, in order, in two reused buffers.
struct HeaderTable {
  private struct Field {
    var nameStart: Int
    var nameCount: Int
    var valueStart: Int
    var valueCount: Int
  }

  private var storage = ByteBuffer()
  private var fields: [Field] = []

  /// Header fields, counting repeats.
  var count: Int { fields.count }

  /// Adds a field as it was received.
  mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    let start = storage.count
    storage.append(name)
    storage.append(value)
    fields.append(
      Field(
        nameStart: start,
        nameCount: name.count,
        valueStart: start + name.count,
        valueCount: value.count
      )
    )
  }

  /// The value of the first field of that name; the pointer holds until the request is answered.
  func first(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    for field in fields where self.name(of: field).isEqualIgnoringCase(to: name) {
      return value(of: field)
    }
    return nil
  }

  /// The values of all fields of that name, in order; as for `first`.
  func all(_ name: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
    fields.filter { self.name(of: $0).isEqualIgnoringCase(to: name) }.map(value)
  }

  /// Whether some field of that name has another value.
  func hasOther(_ name: StaticString, than value: UnsafeRawBufferPointer) -> Bool {
    let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return fields.contains { field in
      self.name(of: field).isEqualIgnoringCase(to: name)
        && !self.value(of: field).elementsEqual(value)
    }
  }

  /// Gives all fields of that name another value; adds one where there was none.
  mutating func replace(_ name: StaticString, with value: UnsafeRawBufferPointer) {
    let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    guard first(name) != nil else { return append(name: name, value: value) }
    let start = storage.count
    storage.append(value)
    for index in fields.indices where self.name(of: fields[index]).isEqualIgnoringCase(to: name) {
      fields[index].valueStart = start
      fields[index].valueCount = value.count
    }
  }

  /// Forgets the fields and keeps the memory.
  mutating func clear() {
    storage.clear()
    fields.removeAll(keepingCapacity: true)
  }

  /// Gives the memory back.
  mutating func deallocate() { storage.deallocate() }

  private func name(of field: Field) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: storage.bytes[field.nameStart..<field.nameStart + field.nameCount]
    )
  }

  private func value(of field: Field) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: storage.bytes[field.valueStart..<field.valueStart + field.valueCount]
    )
  }
}
