import FootfallCore
import Testing

@testable import footfall_sample

/// One plan for all tests: making it takes longer than looking at it.
private let plan = DemoPlan(DemoPlan.Settings(anchorMs: 1_764_581_400_000))

@Suite struct `The demo's history` {
  let actions = plan.histories.flatMap { history in history.visits.flatMap(\.actions) }

  func events(_ name: EventName) -> [Properties] {
    actions.compactMap { action in
      if case .track(name, let properties) = action.kind { properties } else { nil }
    }
  }

  @Test func `the same settings give the same plan, and another seed another`() {
    let ids = actions.map(\.id)
    let again = DemoPlan(plan.settings)
    #expect(again.histories.flatMap { $0.visits.flatMap(\.actions) }.map(\.id) == ids)
    let other = DemoPlan(DemoPlan.Settings(seed: 2, anchorMs: plan.settings.anchorMs))
    let otherIDs = Set(other.histories.flatMap { $0.visits.flatMap(\.actions) }.map(\.id))
    #expect(otherIDs.intersection(ids) == [""])
  }

  @Test func `more people change nothing about those who were there`() {
    let settings = DemoPlan.Settings(people: 210, anchorMs: plan.settings.anchorMs)
    let more = DemoPlan(settings).histories.prefix(200).flatMap { $0.visits.flatMap(\.actions) }
    #expect(more == actions)
  }

  @Test func `every event has an id of its own`() {
    let ids = actions.filter(\.isEvent).map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.utf8.count == EventID.textLength })
  }

  @Test func `nothing happens outside the period or out of order`() {
    for history in plan.histories {
      let times = history.visits.flatMap { $0.actions.map(\.atMs) }
      #expect(times == times.sorted())
      #expect(times.allSatisfy { $0 >= history.person.joinedMs && $0 < plan.period.endMs })
      #expect(history.person.joinedMs >= plan.period.startMs)
    }
  }

  @Test func `there is enough to look at, and not too much to send in a minute`() {
    #expect((20_000...45_000).contains(actions.count { $0.isEvent }))
  }

  @Test(
    arguments: [
      ("App Opened", 0.05, 0.25), ("Product Viewed", 0.05, 0.35), ("Note Edited", 0.05, 0.35),
      ("Searched", 0.02, 0.2), ("Product Purchased", 0.003, 0.1), ("Error Shown", 0.0005, 0.02),
    ] as [(EventName, Double, Double)]
  )
  func `events are as common as in such an app`(name: EventName, from: Double, to: Double) {
    let share = Double(events(name).count) / Double(actions.count)
    #expect((from...to).contains(share), "\(name): \(share)")
  }

  @Test(
    arguments: [
      ("Product Viewed", "Product Added to Cart", 0.15, 0.5),
      ("Product Added to Cart", "Checkout Started", 0.3, 0.8),
      ("Checkout Started", "Order Completed", 0.3, 0.85),
      ("Sign Up Started", "Signed Up", 0.6, 0.95),
    ] as [(EventName, EventName, Double, Double)]
  )
  func `a step of the way is taken by some and not by all`(
    first: EventName,
    second: EventName,
    from: Double,
    to: Double
  ) {
    let share = Double(events(second).count) / Double(events(first).count)
    #expect((from...to).contains(share), "\(first) → \(second): \(share)")
  }

  @Test func `purchases carry price, quantity and currency`() {
    let purchases = events("Product Purchased") + events("Subscription Started")
    #expect(purchases.count > 50)
    for properties in purchases {
      guard case .double(let price)? = properties["price"],
        case .integer(let quantity)? = properties["quantity"],
        case .string(let currency)? = properties["currency"]
      else {
        Issue.record("no revenue in \(properties)")
        continue
      }
      #expect(price > 0 && quantity > 0 && currency.count == 3)
    }
    #expect(Set(purchases.compactMap { $0["currency"] }).count >= 4)
  }

  @Test func `every page has something to show: sales, refunds, crashes, failures, teams`() {
    var sales: [Revenue] = []
    var teams: Set<String> = []
    for action in actions {
      if case .revenue(let sale) = action.kind { sales.append(sale) }
      if case .join(let team) = action.kind { teams.insert(team) }
    }
    let refunds = sales.filter { ($0.price ?? 0) < 0 }
    #expect(sales.count > 100 && (3...sales.count / 5).contains(refunds.count))
    #expect(sales.allSatisfy { $0.price != nil && $0.productID != nil })
    #expect(Set(sales.compactMap(\.currency)).count >= 2)
    #expect((20...400).contains(events("app_crashed").count))
    #expect(events("app_crashed").allSatisfy { $0["stack"] != nil && $0["reason"] != nil })
    #expect(!events("Sign In Failed").isEmpty && !events("Signed In").isEmpty)
    #expect(teams.count > 5)
  }

  @Test func `a visit is a session, and some nobody looked at`() {
    for visit in plan.histories.flatMap(\.visits) {
      #expect(Set(visit.actions.map(\.visitMs)).count == 1)
      #expect(visit.actions.allSatisfy { $0.visitMs <= $0.atMs })
    }
    let visits = plan.histories.flatMap(\.visits).count
    #expect((visits / 100...visits / 10).contains(events("Notes Synchronized").count))
    #expect(events("App Closed").allSatisfy { $0["app_state"] == "active" })
  }

  @Test func `people come back, drop off, stay`() {
    let days = plan.histories.map { history in
      Set(history.visits.compactMap { $0.actions.first.map { $0.atMs / Period.dayMs } }).count
    }
    #expect(days.count { $0 == 1 } > 20)
    #expect(days.count { $0 >= 5 } > 60)
    #expect(days.count { $0 >= 30 } > 10)
    let active = plan.histories.count { $0.isActive(atMs: plan.period.endMs) }
    #expect((40...140).contains(active))
  }

  @Test func `people are anonymous first, and many sign in`() {
    let signedIn = plan.histories.filter { $0.writer.state.hasAccount }
    #expect((100...185).contains(signedIn.count))
    for history in signedIn {
      let first = history.visits.first?.actions.first
      #expect(first?.isEvent == true)
    }
  }

  @Test func `some have two devices, and sign in on the second`() {
    let both = plan.histories.filter { Set($0.visits.map(\.device)).count == 2 }
    #expect(both.count >= 20)
    let onSecond = both.filter { $0.writer.state.signedIn.contains(1) }
    #expect(onSecond.count >= 15)
  }

  @Test func `app versions follow one another on every device`() {
    let devices = plan.devices
    #expect(devices.map(\.eventCount).reduce(0, +) == actions.count { $0.isEvent })
    for device in devices {
      let builds = device.chapters.map(\.release.build)
      #expect(builds == builds.sorted())
      #expect(Set(builds).count == builds.count)
    }
    #expect(Set(devices.flatMap { $0.chapters.map(\.release.version) }).count == 5)
    #expect(Set(devices.map(\.device.name)).count == devices.count)
    #expect(Set(devices.map(\.person.market.locale)).count == 7)
  }

  @Test(arguments: [0, 1, 3_650])
  func `any number of days gives a plan, and a live script after it`(days: Int) {
    let settings = DemoPlan.Settings(people: 5, days: days, anchorMs: plan.settings.anchorMs)
    let short = DemoPlan(settings)
    let oldest = short.devices.flatMap { $0.chapters.flatMap(\.actions) }.map(\.atMs).min()
    #expect((oldest ?? .max) > settings.anchorMs - 3_650 * Period.dayMs)
    var script = LiveScript(plan: short, startMs: settings.anchorMs)
    let steps = (0..<100).map { _ in script.next() }
    #expect(steps.allSatisfy { $0.action.atMs >= settings.anchorMs })
  }

  @Test func `names are plainly made up`() {
    #expect(plan.histories[16].person.id == "person-017")
    #expect(Person.name(1_234) == "person-1234")
  }
}

@Suite struct `What happens live` {
  func steps(_ count: Int, startMs: Int64 = plan.period.endMs) -> [LiveScript.Step] {
    var script = LiveScript(plan: plan, startMs: startMs)
    return (0..<count).map { _ in script.next() }
  }

  @Test func `several events a minute, and at most a few a second`() throws {
    let steps = steps(3_000)
    let times = steps.map(\.action.atMs)
    #expect(times == times.sorted())
    let first = try #require(times.first)
    let last = try #require(times.last)
    let perSecond = Double(steps.count) / (Double(last - first) / 1_000)
    #expect((0.4...1.5).contains(perSecond), "\(perSecond) a second")
    #expect(times.count { $0 < first + 20_000 } >= 8)
    let minutes = Dictionary(grouping: times) { ($0 - first) / 60_000 }
    #expect(minutes.values.dropLast().allSatisfy { $0.count >= 5 && $0.count <= 150 })
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 30_000 })
  }

  @Test func `a few people at a time, each in one visit`() {
    var open: [Int: String] = [:]
    var most = 0
    for step in steps(3_000) {
      if step.isFirst {
        #expect(open[step.person.number] == nil)
        open[step.person.number] = step.device.name
      }
      #expect(open[step.person.number] == step.device.name)
      most = max(most, open.count)
      if step.isLast { open[step.person.number] = nil }
    }
    #expect((2...30).contains(most))
  }

  @Test func `newcomers get numbers nobody has had`() {
    var script = LiveScript(plan: plan, startMs: plan.period.endMs, newcomers: 7)
    let numbers = Set((0..<2_000).map { _ in script.next().person.number })
    #expect(!numbers.contains { (201...207).contains($0) })
    #expect(numbers.contains(208))
    #expect(script.nextPersonNumber > 208)
  }

  @Test func `two runs do not look alike, and one start gives one script`() {
    let first = steps(50).map(\.action)
    #expect(first == steps(50).map(\.action))
    let later = steps(50, startMs: plan.period.endMs + 1).map(\.action.kind)
    #expect(first.map(\.kind) != later)
  }
}
