import Catalog
import EventRecord
import EventStore
import Foundation
import HTTPServing
import Insights

extension DashboardSite {
  func installLive(in router: inout Router) {
    router.get("/projects/:id/live", handler: signedIn { try self.livePage($0, $1) })
    router.get(
      "/projects/:id/live/rows",
      handler: signedIn { request, _ in
        .now(.html(try self.list(LiveQuery(request), of: try self.project(request)).items.text))
      }
    )
    router.get(
      "/projects/:id/live/numbers",
      handler: signedIn { request, _ in
        let project = try self.project(request)
        let numbers = try self.numbers(LiveQuery(request), of: project)
        let zoneName = project.timeZone.replacingOccurrences(of: "_", with: " ")
        let html: HTML = """
          \(CountersView(numbers: numbers, zoneName: zoneName).html)
          \(SeriesView(numbers: numbers, project: project.id, zoneName: zoneName).html)
          """
        return .now(.html(html.text))
      }
    )
    router.get(
      "/projects/:id/live/stream",
      handler: signedIn { request, visitor in
        let project = try self.project(request)
        let stream = LiveStream(
          LiveQuery(request),
          project: project.id,
          zone: self.zone(of: project),
          feed: self.feed,
          clock: self.clock,
          isSignedIn: { self.isStillSignedIn(visitor) }
        )
        return .stream(stream.events)
      }
    )
    router.get("/projects/:id/series", handler: signedIn { try self.series($0, $1) })
    router.get("/projects/:id/names", handler: signedIn { try self.names($0, $1) })
    router.get("/projects/:id/events/:key", handler: signedIn { try self.eventPage($0, $1) })
  }

  private func livePage(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let frame = try frame(visitor, project, .live)
    let query = LiveQuery(request)
    do {
      let list = try list(query, of: project)
      let page = LivePage(
        project: project,
        query: query,
        numbers: try numbers(query, of: project),
        list: list,
        ingestKey: try ingestKey(of: project),
        endpoint: endpoint(for: request),
        unknown: try unknown(query, list, project)
      )
      return .now(self.page(page, in: frame))
    } catch let error as StoreError {
      let page = StoreProblemPage(
        project: project,
        message: settings.faults.note(error),
        retry: query.address(project: project.id)
      )
      return .now(self.page(page, in: frame, status: 503))
    }
  }

  /// What no event is called may be called otherwise.
  private func unknown(_ query: LiveQuery, _ list: EventList, _ project: Project) throws -> HTML? {
    guard list.events.isEmpty, let name = query.name else { return nil }
    return UnknownNames(asked: ["name": name], known: try names(of: project.id)).html(
      all: Address("projects", "\(project.id)", "catalogue")
    ) { query.only(name: $1).address(project: project.id) }
  }

  private func eventPage(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    guard let key = EventKey(request.parameter("key")),
      let event = try EventDetail(project: project.id, key: key).run(on: store)
    else { throw PageProblem.notFound }
    let sheet = EventSheet(
      event: event,
      project: project.id,
      zone: zone(of: project)
    )
    // The drawer asks for the event alone.
    if request.query("part") == "body" { return .now(.html(sheet.html.text)) }
    return .now(page(EventPage(sheet: sheet), in: try frame(visitor, project, .live)))
  }

  /// The chart's counts as JSON, for whoever wants to draw them elsewhere.
  private func series(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let numbers = try numbers(LiveQuery(request), of: project)
    let series = numbers.series
    let lines = series.lines.map { line in
      JSONText.object([
        .init(name: "name", value: line.name.map(JSONText.string) ?? .null),
        .init(name: "total", value: .number("\(line.total)")),
        .init(name: "counts", value: .array(line.counts.map { .number("\($0)") })),
      ])
    }
    let json = JSONText.object([
      .init(
        name: "bucket_starts_ms",
        value: .array(series.bucketStartsMs.map { .number("\($0)") })
      ),
      .init(name: "lines", value: .array(lines)),
    ])
    return .now(.json(json.encoded(indent: nil)))
  }

  /// The project's event names as options, fetched when someone is about to type one.
  private func names(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let names = try EventNames(project: project.id, includesTest: true, limit: 200).run(on: store)
    let hidden = Set(
      try catalog.eventRules(project: project.id).filter(\.isHidden).map { ExactText($0.name) }
    )
    let options = names.filter { !hidden.contains(ExactText($0.name)) }.map {
      #"<option value="\#($0.name)">\#($0.count.grouped) events</option>"# as HTML
    }
    return .now(.html(("\(options)" as HTML).text))
  }

  private func numbers(_ query: LiveQuery, of project: Project) throws -> LiveNumbers {
    try LiveNumbers(
      query,
      project: project.id,
      zone: zone(of: project),
      nowMs: clock.nowMs(),
      store: store
    )
  }

  private func list(_ query: LiveQuery, of project: Project) throws -> EventList {
    let events = try RecentEvents(
      project: project.id,
      name: query.name,
      person: query.person,
      before: query.before,
      limit: EventList.pageSize
    ).run(on: store)
    return EventList(
      events: events,
      query: query,
      project: project.id,
      zone: zone(of: project),
      nowMs: clock.nowMs()
    )
  }

  private func ingestKey(of project: Project) throws -> String? {
    try catalog.keys(project: project.id).first { $0.kind == .ingest && !$0.isRevoked }?.value
  }

  private func isStillSignedIn(_ visitor: Visitor) -> Bool {
    do {
      return try catalog.user(session: visitor.session) != nil
    } catch {
      // The catalogue could not be read just now: that is no reason to end what is allowed.
      return true
    }
  }
}

/// The live page while the store cannot answer.
struct StoreProblemPage: Page {
  let project: Project
  let message: String
  let retry: Address

  var title: String { "Live · \(project.name)" }

  var content: HTML {
    """
    <div class="page-head"><h1>Live</h1></div>
    <section class="card trouble" role="alert">
    <h2>The events cannot be shown right now</h2>
    <p>\(message)</p>
    <p class="muted">Events that apps send meanwhile are kept in the ingest log and appear later.</p>
    <p><a class="button" href="\(retry)">Try again</a></p>
    </section>
    """
  }
}
