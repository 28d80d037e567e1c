import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights

extension DashboardSite {
  func installPersons(in router: inout Router) {
    router.get("/projects/:id/people", handler: signedIn(.viewEvents) { try self.persons($0, $1) })
    router.get(
      "/projects/:id/people/profile",
      handler: signedIn(.viewEvents) { try self.profile($0, $1) }
    )
  }

  private func persons(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let query = PeopleQuery(request)
    if query.isGathered { return .now(.redirect(to: query.address(project: project.id).text)) }
    let frame = try frame(visitor, project, .people)
    let segments = try catalog.segments(project: project.id)
    let lists = try catalog.lists(project: project.id)
    func page(
      _ found: PeopleList.Output?,
      _ activity: PeopleActivity? = nil,
      problem: String? = nil,
      status: Int = 200
    ) -> Reply {
      let page = PersonListPage(
        project: project,
        query: query,
        segments: segments,
        lists: Dictionary(uniqueKeysWithValues: lists.map { ($0.id, $0.name) }),
        found: found,
        zone: zone(of: project),
        nowMs: clock.nowMs(),
        activity: activity,
        problem: problem
      )
      return .now(self.page(page, in: frame, status: status))
    }
    let rules = query.rules.compactMap { PersonRule($0) }
    guard rules.count == query.rules.count else {
      return page(nil, problem: "One of the filters cannot be read. Take it away.", status: 422)
    }
    do {
      let now = clock.nowMs()
      let shelf = shelf(of: project.id)
      let found = try PeopleList(
        project: project.id,
        search: query.search,
        rules: rules,
        segment: try shelf.filter(query.segment, nowMs: now),
        setting: try shelf.setting(for: rules, nowMs: now),
        order: query.order,
        isAscending: query.isAscending,
        after: query.after,
        limit: PeopleQuery.pageSize
      ).run(on: store)
      let isWhole = !query.isFiltered && query.after == nil
      let activity =
        try isWhole ? PeopleActivity(project: project.id, nowMs: now, store: store) : nil
      return page(found, activity)
    } catch let problem as QuestionForm.Problem {
      return page(nil, problem: problem.description, status: 422)
    } catch let error as StoreError {
      return page(nil, problem: Self.sentence(error), status: 503)
    }
  }

  /// Why a list or a number cannot be shown, and what to do.
  static func sentence(_ error: StoreError) -> String {
    if case .timedOut(let seconds) = error {
      return
        "This took longer than \(Int(seconds)) seconds and was stopped. Fewer filters answer sooner."
    }
    return "The events cannot be read right now: \(ClientText.of(error))"
  }

  private func profile(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let frame = try frame(visitor, project, .people)
    let id = request.query("id") ?? ""
    let isDevice = request.query("device") == "true"
    guard !id.isEmpty else {
      return .now(self.page(ProfileSearchPage(project: project, id: ""), in: frame))
    }
    switch try PersonLookup(project: project.id, id: id, isDevice: isDevice).run(on: store) {
    case .nobody:
      let page = ProfileSearchPage(project: project, id: String(id.prefix(1_024)))
      return .now(self.page(page, in: frame, status: 404))
    case .device(let users):
      let user = PersonAddress(users.last ?? "")
      return .now(.redirect(to: user.address(project: project.id).text))
    case .person(let person):
      let name = request.query("name").flatMap { $0.isEmpty ? nil : $0 }
      let before = request.query("before").flatMap { EventPlace(text: $0) }
      let page = ProfilePage(
        visitor: visitor,
        project: project,
        person: person,
        facts: try facts(of: person, of: project, name: name, before: before),
        name: name,
        before: before,
        zone: zone(of: project),
        nowMs: clock.nowMs()
      )
      return .now(self.page(page, in: frame))
    }
  }

  private func facts(
    of person: Person,
    of project: Project,
    name: String?,
    before: EventPlace?
  ) throws -> ProfilePage.Facts {
    ProfilePage.Facts(
      totals: try PersonTotals(person).run(on: store),
      revenue: try PersonRevenue(person, setting(of: project)).run(on: store),
      state: try CurrentProperties(
        project: person.project,
        of: person.isUser ? .user(person.id) : .device(person.id)
      ).run(on: store),
      history: try PropertyTimeline(project: person.project, subject: .found(person)).run(
        on: store
      ),
      sessions: try RecentSessions(
        Scope(project: person.project, fromMs: -62_135_596_800_000, toMs: 253_402_300_800_000),
        person: person,
        limit: ProfilePage.shownSessions
      ).run(on: store),
      events: try PersonTimeline(
        person,
        name: name,
        before: before,
        isWhole: false,
        limit: ProfilePage.timelinePage
      ).run(on: store)
    )
  }
}
