import EventRecord

/// Property operations in Amplitude's form: an object of operations, or of plain keys to be set.
extension WireMemory {
  /// Brings properties into one form: an object whose keys are all operations.
  ///
  /// Plain keys count as `$set`; mixed with operations they are set first, so that an explicit `$set`
  /// of the same key wins. Returns nil when an operation's payload is not an object (`$clearAll`
  /// takes anything).
  mutating func operations(from slice: Slice) throws(BodyProblem) -> Slice? {
    var operationCount = 0
    var plainCount = 0
    var scanner = JSONScanner(bytes(slice))
    var isMore = try scanner.enterObject()
    while isMore {
      let key = try scanner.key()
      if isOperation(key) {
        operationCount += 1
        guard key.isRaw("$clearAll") || scanner.next() == UInt8(ascii: "{") else { return nil }
      } else {
        plainCount += 1
      }
      try scanner.skipValue()
      isMore = try scanner.nextMember()
    }
    if plainCount == 0 { return slice }
    let start = operations.count
    if operationCount == 0 {
      operations.append("{\"$set\":")
      operations.append(bytes(slice))
      operations.append(UInt8(ascii: "}"))
    } else {
      try appendMixed(slice)
    }
    return Slice(area: .operations, start: start, count: operations.count - start)
  }

  /// Cuts a text after a number of Unicode scalars.
  func cut(_ slice: Slice, maxCharacters: Int) -> Slice {
    guard slice.count > maxCharacters else { return slice }
    var left = maxCharacters
    for (place, byte) in bytes(slice).enumerated() where byte & 0xc0 != 0x80 {
      if left == 0 { return Slice(area: slice.area, start: slice.start, count: place) }
      left -= 1
    }
    return slice
  }

  private mutating func appendMixed(_ slice: Slice) throws(BodyProblem) {
    // One object of the plain members and then those of `$set`; copied, the last of a key stays.
    var set = ByteSink()
    set.append(UInt8(ascii: "{"))
    var explicit = UnsafeRawBufferPointer(start: nil, count: 0)
    operations.append(UInt8(ascii: "{"))
    var scanner = JSONScanner(bytes(slice))
    var isMore = try scanner.enterObject()
    while isMore {
      let key = try scanner.key()
      _ = scanner.next()
      let value = scanner.position
      try scanner.skipValue()
      let payload = UnsafeRawBufferPointer(start: value, count: scanner.position - value)
      if key.isRaw("$set") {
        explicit = payload
      } else if isOperation(key) {
        operations.appendMember(key, payload)
      } else {
        set.appendMember(key, payload)
      }
      isMore = try scanner.nextMember()
    }
    if explicit.count > 2 {
      set.append(UnsafeRawBufferPointer(rebasing: explicit.dropFirst().dropLast()))
      set.append(UInt8(ascii: ","))
    }
    set.closeObject()
    operations.append("\"$set\":")
    let onBody = json.scanner
    json.scanner = JSONScanner(set.bytes)
    defer { json.scanner = onBody }
    try json.append(to: &operations)
    operations.append(UInt8(ascii: "}"))
  }

  private func isOperation(_ key: JSONString) -> Bool {
    guard key.count > 3, key.isStart("$") else { return false }
    return key.isRaw("$set") || key.isRaw("$setOnce") || key.isRaw("$add") || key.isRaw("$append")
      || key.isRaw("$prepend") || key.isRaw("$unset") || key.isRaw("$preInsert")
      || key.isRaw("$postInsert") || key.isRaw("$remove") || key.isRaw("$clearAll")
  }
}

extension ByteSink {
  /// Adds a member that has been checked and copied once already, and a comma.
  fileprivate mutating func appendMember(_ key: JSONString, _ value: UnsafeRawBufferPointer) {
    append(key.start - 1, count: key.count + 2)
    append(UInt8(ascii: ":"))
    append(value)
    append(UInt8(ascii: ","))
  }
}
