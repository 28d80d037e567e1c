import FootfallCore
import Foundation
import Testing

@Suite struct `Event options` {
  // AMP T4
  @Test func `of two sayings the option's wins, and what it does not say stays`() {
    let event = EventOptions(
      id: "i1",
      deviceID: "d1",
      userID: "a1234",
      sessionID: 5,
      groups: ["orgId": ["15"]],
      context: [.country: "SE", .city: "Lund"]
    )
    let merged = event.merging(
      EventOptions(
        at: Date(timeIntervalSince1970: 1),
        userID: "b1234",
        sessionID: .outside,
        context: [.country: "NO", .plan: ["version": "3"]],
        isTest: true
      )
    )
    #expect(
      merged
        == EventOptions(
          id: "i1",
          at: Date(timeIntervalSince1970: 1),
          deviceID: "d1",
          userID: "b1234",
          sessionID: .number(-1),
          groups: ["orgId": ["15"]],
          context: [.country: "NO", .city: "Lund", .plan: ["version": "3"]],
          isTest: true
        )
    )
    #expect(event.merging(EventOptions()) == event)
    #expect(EventOptions().merging(event) == event)
  }

  @Test func `a session is a number or a text`() {
    #expect(EventOptions(sessionID: 1_764_581_000_000).sessionID == .number(1_764_581_000_000))
    #expect(EventOptions(sessionID: "s-\(1)").sessionID == .text("s-1"))
    #expect(EventOptions(sessionID: nil).sessionID == nil)
    #expect(SessionID.outside == -1)
  }

  @Test func `an event takes over what its options say`() {
    let options = EventOptions(
      id: "order-1",
      deviceID: "d2",
      userID: "u2",
      sessionID: "s",
      groups: ["orgId": ["15"]],
      context: [.statedAppVersion: "4.2.0"],
      isTest: false
    )
    let moment = Moment(wallMilliseconds: 9, steadyMilliseconds: 0, awakeMilliseconds: 0)
    let stamped = StampedEvent(
      name: "a",
      properties: [:],
      id: EventID(milliseconds: 1, counter: 1, random: 2),
      milliseconds: 7,
      moment: moment,
      details: EventDetails(options: options)
    )
    let client = EventIdentity(deviceID: "d", userID: "u", isTest: true)
    let event = Event(stamped, sequence: 3, identity: client)
    #expect(event.id == "order-1")
    #expect(event.deviceID == "d2")
    #expect(event.userID == "u2")
    #expect(event.sessionID == "s")
    #expect(event.groups == ["orgId": ["15"]])
    #expect(event.context == [.statedAppVersion: "4.2.0"])
    #expect(!event.isTest)
    #expect(event.isBackDated)
  }
}
