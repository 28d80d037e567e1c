import FootfallSystem

/// Room set aside for a full disk.
///
/// Events only leave as batches, and a batch needs room: where there is none, nothing could be sent
/// and so no room would ever be made. A file of the size of a batch is written before anything
/// else is stored, and given up for the batch that finds no room. Until it is there again nothing
/// new is stored, as that would take its place.
extension Outbox {
  /// The file's name in the outbox's folder.
  static let reserveName = "reserve"

  private var reservePath: String { folder + "/" + Self.reserveName }

  /// Makes the reserve if there is none; throws `diskFull` where it does not fit.
  ///
  /// Another failure is left to what comes after, which fails as well or does not need it.
  func holdReserve() throws(OutboxError) {
    guard limits.reserveBytes > 0, !holdsReserve else { return }
    do throws(SystemError) {
      try writeReserve()
      holdsReserve = true
    } catch {
      discardReserve()
      if error.isDiskFull { throw .diskFull }
    }
  }

  private func writeReserve() throws(SystemError) {
    let file = try files.open(reservePath, .append)
    guard try file.size() != UInt64(limits.reserveBytes) else { return }
    try file.truncate(to: 0)
    var left = limits.reserveBytes
    var seed = random() | 1
    while left > 0 {
      let size = min(left, 64 << 10)
      try file.writeAll(Self.noise(size, &seed))
      left -= size
    }
  }

  /// Bytes that no disk can keep in less room than they have.
  private static func noise(_ count: Int, _ seed: inout UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      seed ^= seed << 13
      seed ^= seed >> 7
      seed ^= seed << 17
      bytes.append(littleEndian: seed)
    }
    return Array(bytes.prefix(count))
  }

  /// Does what needs room; where there is none it gives up the reserve, and tries once more.
  func withReserve(_ body: () throws(OutboxError) -> Void) throws(OutboxError) {
    do throws(OutboxError) { try body() } catch {
      // What is about to be sent will make room.
      guard case .diskFull = error, oldest == nil, giveUpReserve() else { throw error }
      try body()
    }
  }

  /// Removes the reserve; whether there was one.
  @discardableResult
  func giveUpReserve() -> Bool {
    holdsReserve = false
    guard files.exists(reservePath) else { return false }
    return discardReserve()
  }

  @discardableResult
  private func discardReserve() -> Bool {
    do throws(SystemError) {
      try files.remove(reservePath)
      return true
    } catch {
      // Looked at again before the next event is stored.
      return false
    }
  }
}
