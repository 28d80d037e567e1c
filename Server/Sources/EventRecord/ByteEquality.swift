extension UnsafeRawBufferPointer {
  /// Whether these bytes are the same as those.
  package func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard baseAddress != other.baseAddress else { return true }
    var place = 0
    while place &+ 8 <= count {
      let word = loadUnaligned(fromByteOffset: place, as: UInt64.self)
      guard word == other.loadUnaligned(fromByteOffset: place, as: UInt64.self) else {
        return false
      }
      place &+= 8
    }
    while place < count {
      guard self[place] == other[place] else { return false }
      place &+= 1
    }
    return true
  }
}
