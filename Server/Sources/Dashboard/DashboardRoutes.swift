public import Catalog
public import EventStore
public import HTTPServing

/// The pages people look at, as routes.
///
/// ```swift
/// DashboardRoutes(
///   catalog: catalog, store: store, feed: feed, assets: AssetFolder(path: "share/footfall"),
///   settings: DashboardSettings()
/// ).install(in: &router)
/// ```
public struct DashboardRoutes: Sendable {
  private let site: DashboardSite

  /// Pages over these parts.
  ///
  /// - Parameters:
  ///   - catalog: Who may sign in, and to which projects.
  ///   - store: Where events are asked for.
  ///   - feed: What the loader publishes new events to.
  ///   - assets: Scripts and styles.
  ///   - settings: What the operator decided.
  ///   - operations: How the server is doing.
  public init(
    catalog: Catalog,
    store: any EventStore,
    feed: LiveFeed,
    assets: AssetFolder,
    settings: DashboardSettings,
    operations: Operations = .none
  ) {
    self.init(
      catalog: catalog,
      store: store,
      feed: feed,
      assets: assets,
      settings: settings,
      clock: .live,
      operations: operations
    )
  }

  package init(
    catalog: Catalog,
    store: any EventStore,
    feed: LiveFeed,
    assets: AssetFolder,
    settings: DashboardSettings,
    clock: DashboardClock,
    operations: Operations = .none
  ) {
    site = DashboardSite(
      catalog: catalog,
      store: store,
      feed: feed,
      assets: assets,
      settings: settings,
      clock: clock,
      operations: operations
    )
  }

  /// Registers the routes: `/`, `/sign-in`, `/account`, `/projects/…`, `/people`, `/audit`,
  /// `/system`, `/assets/…` and `/favicon.ico`, and the page of what there is not.
  public func install(in router: inout Router) {
    let site = site
    router.get("/assets/:file", options: Self.assetOptions) { site.asset($0) }
    // Browsers ask for it where a page names no icon, as beside a file of text.
    router.get("/favicon.ico", options: Self.assetOptions) { _ in .now(site.icon) }
    router.group({ SecurityHeaders.add(to: $1($0)) }) { router in
      site.installSignIn(in: &router)
      site.installAccount(in: &router)
      site.installLive(in: &router)
      site.installSessions(in: &router)
      site.installInsights(in: &router)
      site.installPersons(in: &router)
      site.installSegments(in: &router)
      site.installLists(in: &router)
      site.installGroups(in: &router)
      site.installExplore(in: &router)
      site.installBoards(in: &router)
      site.installCatalogue(in: &router)
      site.installCrashes(in: &router)
      site.installQuality(in: &router)
      site.installAlerts(in: &router)
      site.installConsole(in: &router)
      site.installProjects(in: &router)
      site.installReadKeys(in: &router)
      site.installSettings(in: &router)
      site.installData(in: &router)
      site.installPeople(in: &router)
      site.installOwner(in: &router)
      site.installUnknown(in: &router)
    }
  }

  private static var assetOptions: RouteOptions {
    var options = RouteOptions()
    options.mayBlock = false
    options.isLogged = false
    return options
  }
}
