import Catalog
import EventStore
import FootfallSystem
import Foundation
import HTTPServing

/// What every page has at hand.
final class DashboardSite: Sendable {
  let catalog: Catalog
  let store: any EventStore
  let feed: LiveFeed
  let assets: AssetFolder
  let settings: DashboardSettings
  let clock: DashboardClock
  let operations: Operations
  let consoleRuns = ConsoleRuns()
  let questionRuns: QuestionRuns
  let sharedCards: SharedCards
  let limiter = Lock(AttemptLimiter(perAddress: 10, inTotal: 100))

  init(
    catalog: Catalog,
    store: any EventStore,
    feed: LiveFeed,
    assets: AssetFolder,
    settings: DashboardSettings,
    clock: DashboardClock,
    operations: Operations
  ) {
    self.catalog = catalog
    self.store = store
    self.feed = feed
    self.assets = assets
    self.settings = settings
    self.clock = clock
    self.operations = operations
    let start = MonotonicTime.now()
    sharedCards = SharedCards(nowMs: clock.nowMs)
    questionRuns = QuestionRuns { MonotonicTime.now().seconds(since: start) }
  }

  /// A script or style; its address changes with its content, so it may be kept for a year.
  func asset(_ request: Request) -> Reply {
    guard let asset = assets.asset(file: request.parameter("file")) else {
      return .now(.text("There is no such file.\n", status: 404))
    }
    var response = Response.file(
      asset.bytes,
      contentType: asset.contentType,
      cacheSeconds: 31_536_000
    )
    response.setHeader("X-Content-Type-Options", "nosniff")
    return .now(response)
  }

  /// The icon at the address that browsers guess; kept for a day.
  var icon: Response {
    var response = Response.file(
      assets.icon.bytes,
      contentType: assets.icon.contentType,
      cacheSeconds: 86_400
    )
    response.setHeader("X-Content-Type-Options", "nosniff")
    return response
  }

  /// The page of every address that leads nowhere.
  func installUnknown(in router: inout Router) {
    var quick = RouteOptions()
    quick.isQuick = true
    router.unknownPage(
      under: ["/account/", "/people/", "/projects/", "/system/"],
      options: quick
    ) { request in self.guarded(request) { throw PageProblem.notFound } }
  }

  /// The project of the request's path.
  func project(_ request: Request) throws -> Project {
    guard let id = UInt32(request.parameter("id")), let project = try catalog.project(id) else {
      throw PageProblem.notFound
    }
    return project
  }

  /// A project's time zone; UTC if this machine does not know it.
  func zone(of project: Project) -> TimeZone { TimeZone(identifier: project.timeZone) ?? .gmt }

  /// The frame around a project's page.
  func frame(
    _ visitor: Visitor,
    _ project: Project? = nil,
    _ section: PageFrame.Section? = nil
  ) throws -> PageFrame {
    PageFrame(
      visitor: visitor,
      projects: try catalog.projects(),
      project: project,
      section: section,
      isWithoutEvents: project.map { isWithoutEvents($0) } ?? false
    )
  }

  /// Whether nothing came into a project yet, by a collector or by an import, as the catalogue knows.
  ///
  /// The store is not asked: no page may wait for it that shows something else meanwhile.
  private func isWithoutEvents(_ project: Project) -> Bool {
    // What collectors took is counted by day, and not known of days that are long ago.
    guard project.createdAtMs > clock.nowMs() - Catalog.usageDays * 86_400_000 else { return false }
    do {
      return try catalog.usage(project: project.id, fromDay: 0).isEmpty
        && !catalog.jobs(.project(project.id), limit: 100)
          .contains { $0.kind == "import" && $0.state == .done }
    } catch {
      // What is wrong with the catalogue the page says itself.
      return false
    }
  }

  /// Where apps reach this server: as configured, else as the browser did.
  func endpoint(for request: Request) -> String {
    if let url = settings.publicURL { return url.hasSuffix("/") ? String(url.dropLast()) : url }
    return "http://" + (request.header("host") ?? "127.0.0.1:4001")
  }
}

/// What browsers are told about every page.
enum SecurityHeaders {
  /// Scripts, styles, pictures and requests only from and to this server, none of them inline.
  static let contentPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  static func add(to reply: Reply) -> Reply { reply.map(adding) }

  static func adding(to response: Response) -> Response {
    var response = response
    response.setHeader("Content-Security-Policy", contentPolicy)
    response.setHeader("X-Content-Type-Options", "nosniff")
    // Not `no-referrer`: it would make browsers send forms without their origin.
    response.setHeader("Referrer-Policy", "same-origin")
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin")
    response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
    response.setHeader("Cache-Control", "no-store")
    return response
  }
}
