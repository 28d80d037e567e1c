/// The number under which a person, a device or a group is found in a store: 64 bits of a stable hash.
///
/// It holds the project, so the same id is another number there. Like an event's key it is written to
/// the store: neither the hash nor its input may change without a migration.
public enum PersonNumber {
  // Beyond every rule of `EventKey`.
  private static let userDomain: UInt8 = 0xa1
  private static let deviceDomain: UInt8 = 0xa2
  private static let groupDomain: UInt8 = 0xa3

  /// The number of a user id.
  public static func user(project: UInt32, id: UnsafeRawBufferPointer) -> Int64 {
    number(userDomain, project, id)
  }

  /// The number of a device id, which is a person of its own until a user is seen on the device.
  public static func device(project: UInt32, id: UnsafeRawBufferPointer) -> Int64 {
    number(deviceDomain, project, id)
  }

  /// The number that a device of this number has for test events: who tests there is nobody's user there.
  ///
  /// The same again gives back the device's own.
  public static func inTests(_ device: Int64) -> Int64 { device ^ testMark }

  /// Both numbers of a device: its own, and that in tests.
  public static func inBoth(_ device: Int64) -> [Int64] { [device, inTests(device)] }

  /// The number under which stands what test events alone say of a person or a group of this number.
  ///
  /// The same again gives back the number.
  public static func saidByTests(of subject: Int64) -> Int64 { subject ^ saidByTestsMark }

  /// What tells the numbers of `inTests` from the others; written to the store with them.
  public static let testMark: Int64 = 0x5bd1_e995_9e37_79b9
  /// The same for `saidByTests(of:)`.
  public static let saidByTestsMark: Int64 = 0x27d4_eb2f_1656_67c5

  /// The number of a user id.
  public static func user(project: UInt32, id: String) -> Int64 {
    var id = id
    return id.withUTF8 { user(project: project, id: UnsafeRawBufferPointer($0)) }
  }

  /// The number of a device id.
  public static func device(project: UInt32, id: String) -> Int64 {
    var id = id
    return id.withUTF8 { device(project: project, id: UnsafeRawBufferPointer($0)) }
  }

  /// The number of an event's device; `isTest` says whether it is a test event.
  public static func device(project: UInt32, id: String, isTest: Bool) -> Int64 {
    let device = device(project: project, id: id)
    return isTest ? inTests(device) : device
  }

  /// The number of a group of a type.
  public static func group(project: UInt32, type: String, name: String) -> Int64 {
    var hasher = KeyHasher(domain: groupDomain, project: project)
    for part in [type, name] {
      var part = part
      part.withUTF8 { hasher.absorb(UnsafeRawBufferPointer($0)) }
    }
    return Int64(bitPattern: hasher.finish().high)
  }

  private static func number(
    _ domain: UInt8,
    _ project: UInt32,
    _ id: UnsafeRawBufferPointer
  ) -> Int64 {
    var hasher = KeyHasher(domain: domain, project: project)
    hasher.absorb(id)
    return Int64(bitPattern: hasher.finish().high)
  }
}
