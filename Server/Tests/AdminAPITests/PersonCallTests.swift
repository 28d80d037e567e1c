import Catalog
import EventStore
import HTTPServing
import Testing

@testable import AdminAPI

@Suite struct `Calls on people` {
  @Test func `list them page by page and tell all of one`() async throws {
    var events = (1...25).map { number in
      var event = APIFixture.event(UInt64(number))
      event.userID = "user-\(number)"
      event.deviceID = "device-\(number)"
      return event
    }
    events[0].operations = #"{"$set":{"plan":"pro"}}"#
    let program = try APIFixture(events: events).program(.viewer)
    var ids: [PropertyValue] = []
    var after = ""
    for page in 1...3 {
      let answer = await program.call(.get, "/projects/1/people?limit=10&sort=events\(after)").json
      guard case .list(let list)? = answer["people"] else { break }
      #expect(answer["total"] == .integer(25))
      for case .object(let person) in list { ids.append(person["id"] ?? .null) }
      guard case .text(let next)? = answer["next"] else {
        #expect(page == 3)
        break
      }
      after = "&after=\(next)"
    }
    #expect(Set(ids).count == 25)
    let found = await program.call(.get, "/projects/1/people?where=user.plan:is:pro").json
    #expect(found["total"] == .integer(1))
    let one = await program.call(.get, "/projects/1/person?id=device-1").json
    #expect(one["id"] == .text("user-1") && one["events"] == .integer(1))
    #expect(one["properties"] == .object(["plan": .text("pro")]))
    let history = await program.call(.get, "/projects/1/person/history?id=user-1").json
    guard case .list(let changes)? = history["changes"], case .object(let change)? = changes.first
    else {
      Issue.record("no change is told")
      return
    }
    #expect(change["values"] == .object(["new": .text("pro")]))
    let missing = await program.call(.get, "/projects/1/person?id=nobody")
    #expect(missing.status == 404)
    let wrong = await program.call(.get, "/projects/1/people?where=props.a:is:b")
    #expect(wrong.status == 422 && wrong.text.contains("is no rule about people"))
  }
}
