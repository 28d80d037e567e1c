import EventRecord
import Testing

@Suite struct `Event key` {
  @Test func `ids that differ in the case of their letters are one id`() {
    let lower = EventKey.native(project: 1, id: "0197ab-cdefghijklmnopqrstuvwxyz@[`{-äöü")
    #expect(EventKey.native(project: 1, id: "0197AB-CDEFGHIJKLMNOPQRSTUVWXYZ@[`{-äöü") == lower)
  }

  @Test(arguments: [("a@", "a`"), ("a[", "a{"), ("Ä", "ä"), ("ab", "ab\0"), ("", "\0"), ("a", "b")])
  func `other ids stay apart`(one: String, other: String) {
    #expect(EventKey.native(project: 1, id: one) != EventKey.native(project: 1, id: other))
    #expect(
      EventKey.native(project: 1, id: one + "12345678")
        != EventKey.native(project: 1, id: other + "12345678")
    )
  }

  @Test func `the same id in two projects or protocols is two keys`() {
    let key = EventKey.native(project: 1, id: "a")
    #expect(EventKey.native(project: 2, id: "a") != key)
    #expect(EventKey.amplitude(project: 1, deviceID: "", insertID: "a") != key)
  }

  @Test func `a device and insert id cannot be shifted into each other`() {
    let key = EventKey.amplitude(project: 1, deviceID: "ab", insertID: "c")
    #expect(EventKey.amplitude(project: 1, deviceID: "a", insertID: "bc") != key)
    #expect(EventKey.amplitude(project: 1, deviceID: "", insertID: "abc") != key)
    #expect(EventKey.amplitude(project: 1, deviceID: "AB", insertID: "c") != key)
  }

  // Stored in logs and databases: a change here would let old events in a second time.
  @Test func `keys never change`() {
    #expect(
      EventKey.native(project: 7, id: "0197f2c4-8a51-7cc3-98d2-0242ac120002").description
        == "89ab8d6a0775658621fa10113ea1c48f"
    )
    #expect(
      EventKey.amplitude(
        project: 7,
        deviceID: "device-1",
        insertID: "5F0B7C9E-1111-4222-8333-444455556666"
      ).description == "c50368355978a579f923e0919b5d843a"
    )
  }

  @Test func `the text form is read back`() {
    let key = EventKey(high: 0xab, low: 0xf000_0000_0000_0001)
    #expect(key.description == "00000000000000abf000000000000001")
    #expect(EventKey(key.description) == key)
  }

  @Test(arguments: [
    "", "00000000000000abf00000000000000", "+0000000000000abf000000000000001", "zz",
  ])
  func `other texts are no key`(text: String) {
    #expect(EventKey(text) == nil)
  }
}
