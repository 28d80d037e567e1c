import FootfallCore
import Testing

@Suite struct `Identity core` {
  /// A core behind a reference, with its storage.
  final class Subject {
    var core: IdentityCore
    let rules: IdentityRules
    var random = SeededRandom(seed: 3)
    var saved: IdentityCore.State

    init(_ rules: IdentityRules = .amplitude(), stored: IdentityCore.State = .init()) {
      core = IdentityCore(rules: rules, state: stored)
      self.rules = rules
      saved = stored
    }

    @discardableResult
    func take(_ input: IdentityCore.Input, at now: Int64 = 0) -> [IdentityCore.Effect] {
      let effects = core.receive(input, at: now, using: &random)
      if effects.contains(.persist) { saved = core.state }
      return effects
    }

    func relaunched(_ launch: IdentityCore.Launch = .init()) -> Subject {
      let next = Subject(rules, stored: saved)
      next.random = random
      next.take(.launch(launch))
      return next
    }
  }

  static let zero = "00000000-0000-0000-0000-000000000000"

  @Test func `AMP P1: the stored device stays unless another is configured`() {
    let subject = Subject(stored: .init(deviceID: "D-stored"))
    subject.take(.launch(.init(vendorID: "V")))
    #expect(subject.core.state.deviceID == "D-stored")
    let second = subject.relaunched(.init(deviceID: "D-config"))
    #expect(second.core.state.deviceID == "D-config")
    #expect(second.relaunched().core.state.deviceID == "D-config")
  }

  @Test(arguments: [
    zero, "02:00:00:00:00:00", "e3f5536a141811db40efd6400f1d0a4e",
    "04bab7ee75b9a58d39b8dc54e8851084",
  ])
  func `AMP P2: a stored id that devices share is replaced`(id: String) throws {
    let subject = Subject(stored: .init(deviceID: id))
    subject.take(.launch(.init(vendorID: Self.zero)))
    let made = try #require(subject.saved.deviceID)
    #expect(made.count == 36 && made != id && made == made.uppercased())
  }

  @Test func `AMP P3: a configured one is kept, with a warning`() {
    let subject = Subject()
    let effects = subject.take(.launch(.init(deviceID: Self.zero)))
    #expect(effects == [.warnShared(Self.zero), .persist])
    #expect(subject.core.state.deviceID == Self.zero)
  }

  @Test func `AMP P4: the vendor's id outlives a reset`() {
    let subject = Subject()
    subject.take(.launch(.init(vendorID: "V")))
    #expect(subject.core.state.deviceID == "V")
    subject.take(.reset)
    #expect(subject.core.state.deviceID == "V")
  }

  @Test func `without the vendor's id a reset makes a new one`() throws {
    let subject = Subject(.amplitude(usesVendorID: false))
    subject.take(.launch(.init(vendorID: "V")))
    let first = try #require(subject.core.state.deviceID)
    subject.take(.reset)
    let second = try #require(subject.core.state.deviceID)
    #expect(first.count == 36 && second.count == 36 && first != second)
  }

  @Test func `a reset forgets the user, tells so once and sends nothing`() {
    let subject = Subject(stored: .init(deviceID: "D", userID: "user-1"))
    subject.take(.launch(.init(vendorID: "V")))
    subject.take(.identify(userID: nil, deviceID: nil, .set("a", 1)))
    #expect(
      subject.take(.reset) == [
        .persist, .userChanged(nil), .deviceChanged("V"), .identityChanged, .reset,
      ]
    )
    #expect(subject.core.mirror.properties.isEmpty)
    #expect(subject.take(.reset) == [.reset])
  }

  @Test func `AMP P7: the same user twice is told once`() {
    let subject = Subject()
    subject.take(.launch(.init()))
    let told = subject.take(.setUser("x-1")) + subject.take(.setUser("x-1"))
    #expect(told == [.persist, .userChanged("x-1"), .identityChanged])
  }

  @Test func `AMP P8: an assigned identity is told in order and sent`() {
    let subject = Subject()
    subject.take(.launch(.init()))
    #expect(
      subject.take(.assign(userID: "u", deviceID: "d", ["a": 1])) == [
        .persist, .userChanged("u"), .deviceChanged("d"), .identityChanged,
        .sendIdentify(["a": 1]),
      ]
    )
    #expect(subject.take(.assign(userID: "u", deviceID: "d", ["a": 1])).isEmpty)
    #expect(subject.take(.assign(userID: "u", deviceID: "d", [:])) == [.identityChanged])
  }

  @Test func `AMP P19: the configured user replaces the stored one for good`() {
    let subject = Subject(stored: .init(deviceID: "D", userID: "u-stored"))
    subject.take(.launch(.init()))
    #expect(subject.core.state.userID == "u-stored")
    let second = subject.relaunched(.init(userID: "u-config"))
    #expect(second.core.state.userID == "u-config")
    #expect(second.relaunched().core.state.userID == "u-config")
  }

  @Test func `an identify that names a user makes it the client's`() {
    let subject = Subject(stored: .init(deviceID: "device-1", userID: "user-1"))
    subject.take(.launch(.init()))
    subject.take(.identify(userID: "user-2000", deviceID: nil, .set("a", 1)))
    let next = subject.relaunched()
    #expect(next.core.state == .init(deviceID: "device-1", userID: "user-2000"))
    next.take(.identify(userID: nil, deviceID: "d-2000", .set("a", 1)))
    #expect(next.relaunched().core.state == .init(deviceID: "d-2000", userID: "user-2000"))
  }

  @Test func `the app may take the device away`() {
    let subject = Subject()
    subject.take(.launch(.init(vendorID: "V")))
    #expect(
      subject.take(.setDevice(nil)) == [.persist, .deviceChanged(nil), .identityChanged]
    )
  }

  @Test func `the native id is made once, in lower case`() throws {
    let subject = Subject(.native)
    subject.take(.launch(.init(vendorID: "V")))
    let made = try #require(subject.core.state.deviceID)
    #expect(made == made.lowercased() && made != "V")
    #expect(subject.relaunched().core.state.deviceID == made)
  }

  @Test func `for SimpleDataLogs only the app names the device`() {
    let subject = Subject(.simpleDataLogs)
    subject.take(.launch(.init(vendorID: "V")))
    #expect(subject.core.state.deviceID == nil)
    subject.take(.setDevice("a"))
    #expect(subject.relaunched().core.state.deviceID == nil)
  }

  @Test func `PHA 5: a fresh install has a ULID of now`() throws {
    let subject = Subject(.phase)
    let now: Int64 = 1_796_000_000_123
    subject.take(.launch(.init(key: "phase_a")), at: now)
    let made = try #require(subject.core.state.deviceID)
    #expect(made.count == 26 && ULID.isValid(made))
    #expect(ULID.milliseconds(of: made) == now)
  }

  @Test func `the device of another key is forgotten with all that is queued`() {
    let subject = Subject(.phase)
    subject.take(.launch(.init(key: "phase_a")))
    let first = subject.core.state.deviceID
    #expect(subject.relaunched(.init(key: "phase_a")).core.state.deviceID == first)
    let other = Subject(.phase, stored: subject.saved)
    other.random = subject.random
    #expect(other.take(.launch(.init(key: "phase_b"))) == [.discardQueue, .persist])
    #expect(other.core.state.deviceID != first)
  }

  @Test(arguments: ["x!", "", "01ARZ3NDEKTSV4RRFFQ69G5FAU", "81ARZ3NDEKTSV4RRFFQ69G5FAV"])
  func `PHA 7: a stored id that is none is replaced`(id: String) throws {
    let subject = Subject(.phase, stored: .init(deviceID: id, key: "k"))
    subject.take(.launch(.init(key: "k")))
    #expect(ULID.isValid(try #require(subject.core.state.deviceID)))
  }

  @Test func `ULIDs of one time differ, and are read back`() {
    var random = SeededRandom(seed: 1)
    let made = (0..<1_000).map { _ in ULID.make(milliseconds: 281_474_976_710_655, using: &random) }
    #expect(Set(made).count == 1_000)
    #expect(made.allSatisfy { $0.hasPrefix("7ZZZZZZZZZ") })
    #expect(ULID.milliseconds(of: "01ARZ3NDEKTSV4RRFFQ69G5FAV") == 1_469_922_850_259)
    #expect(ULID.milliseconds(of: "01ARZ3NDEKTSV4RRFFQ69G5FA") == nil)
  }
}
