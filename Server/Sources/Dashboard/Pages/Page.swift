import Catalog
import HTTPServing

/// What fills a page between its header and its foot.
protocol Page {
  /// The title in the browser's tab, without the product's name.
  var title: String { get }
  /// The content of `main`.
  var content: HTML { get }
  /// What the page adds to `head`; nothing unless it says so.
  var head: HTML { get }
}

extension Page {
  var head: HTML { .empty }
}

/// Where a page stands: who looks at it and which project it is about.
struct PageFrame {
  var visitor: Visitor?
  var projects: [Project] = []
  var project: Project?
  /// Which of the project's pages it is, to mark it in the navigation.
  var section: Section?
  /// Whether nothing ever came into the project: its pages say then how the first event comes.
  var isWithoutEvents = false

  /// A menu in the bar, for what would make it too long.
  enum Menu: String, CaseIterable {
    case events = "Events"
    case project = "Project"
  }

  enum Section: String, CaseIterable {
    case live
    case boards
    case insights
    case sessions
    case people
    case explore
    case catalogue
    case crashes
    case quality
    case sql
    case alerts
    case keys
    case data
    case settings

    var title: String {
      switch self {
      case .live: "Live"
      case .boards: "Boards"
      case .insights: "Insights"
      case .sessions: "Sessions"
      case .people: "People"
      case .explore: "Past events"
      case .catalogue: "Event names"
      case .crashes: "Crashes"
      case .quality: "Data quality"
      case .sql: "SQL"
      case .alerts: "Alerts"
      case .keys: "API keys"
      case .data: "Export and import"
      case .settings: "Settings"
      }
    }

    /// The menu it stands in; nil for the bar itself.
    var menu: Menu? {
      switch self {
      case .live, .boards, .insights, .sessions, .people: nil
      case .explore, .catalogue, .crashes, .quality, .sql: .events
      case .alerts, .keys, .data, .settings: .project
      }
    }

    /// Who is shown the way there.
    var permission: Permission {
      switch self {
      case .live, .boards, .insights, .sessions, .people, .explore, .catalogue, .crashes, .quality,
        .alerts:
        .viewEvents
      case .sql: .runStatements
      case .keys: .viewKeys
      case .settings: .viewProject
      case .data: .exportEvents
      }
    }
  }
}

extension DashboardSite {
  /// A whole page as an answer.
  func page(
    _ page: some Page,
    in frame: PageFrame = PageFrame(),
    status: Int = 200
  ) -> Response {
    let scripts = [assets.htmx, assets.echarts, assets.script].compactMap { $0 }
      .map { #"<script src="\#($0.address)" defer></script>\#n"# as HTML }
    let html: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="htmx-config" content='{"allowEval":false,"allowScriptTags":false,\
      "includeIndicatorStyles":false,"selfRequestsOnly":true,"historyCacheSize":0,"attributesToSettle":[],\
      "refreshOnHistoryMiss":true}'>
      <title>\(page.title) · Footfall</title>
      <link rel="icon" href="\(assets.icon.address)" type="image/svg+xml">
      <link rel="stylesheet" href="\(assets.styles.address)">
      \(page.head)\
      \(scripts)\
      </head>
      <body data-now="\(clock.nowMs())">
      <a class="skip" href="#main">Skip to content</a>
      \(header(frame))
      <main id="main" tabindex="-1">
      \(firstEventHint(frame))\(page.content)
      </main>
      <footer class="foot">Footfall \(settings.version)<span aria-hidden="true"> · </span>\
      <span>your data stays on this server</span></footer>
      </body>
      </html>

      """
    return .html(html.text, status: status)
  }

  /// Says of a project without events what is missing and how to get there; where it is shown how, and where
  /// events do not matter, nothing.
  private func firstEventHint(_ frame: PageFrame) -> HTML? {
    guard frame.isWithoutEvents, let project = frame.project, let section = frame.section,
      ![.live, .keys, .settings, .data].contains(section)
    else { return nil }
    return """
      <p class="notice first-hint" role="note">“\(project.name)” has no events yet, so there is little to see \
      here. <a href="\(LiveQuery().address(project: project.id))">Send the first event</a>: that page has the key \
      and the lines for your app.</p>

      """
  }

  /// A page that says what went wrong, with the way on for whoever is signed in.
  func problemPage(_ problem: PageProblem, _ request: Request) -> Response {
    let frame = frame(of: request)
    return page(ProblemPage(problem: problem, frame: frame), in: frame, status: problem.status)
  }

  /// The frame of whatever was asked for; an empty one for whoever is not signed in: they are told of no
  /// project.
  private func frame(of request: Request) -> PageFrame {
    do {
      guard let visitor = try visitor(request) else { return PageFrame() }
      let path = request.path.split(separator: "/")
      guard path.first == "projects", visitor.user.role.may(.viewProject),
        let id = path.dropFirst().first.flatMap({ UInt32($0) }),
        let project = try catalog.project(id)
      else { return try frame(visitor) }
      return try frame(
        visitor,
        project,
        path.dropFirst(2).first.flatMap { PageFrame.Section(rawValue: String($0)) }
      )
    } catch {
      // The page must come also where the catalogue cannot be read.
      _ = settings.faults.note(error)
      return PageFrame()
    }
  }

  private func header(_ frame: PageFrame) -> HTML {
    guard let visitor = frame.visitor else {
      return
        #"<header class="top top-bare"><span class="brand">\#(Icons.mark)Footfall</span></header>"#
    }
    return """
      <header class="top"><div class="top-in">
      <a class="brand" href="\(Address())">\(Icons.mark)<span>Footfall</span></a>
      \(switcher(frame))
      \(navigation(frame))
      <details class="menu menu-end" data-menu>
      <summary aria-label="Account of \(visitor.user.name)"><span class="avatar" aria-hidden="true">\
      \(visitor.user.name.prefix(1).uppercased())</span></summary>
      <div class="menu-box">
      <p class="menu-note">Signed in as <b>\(visitor.user.name)</b></p>
      <a href="\(Address("account"))">Account</a>
      \(ownerLinks(visitor))
      <form method="post" action="\(Address("sign-out"))">\(tokenField(visitor))\
      <button type="submit">Sign out</button></form>
      </div></details>
      </div></header>
      """
  }

  private func ownerLinks(_ visitor: Visitor) -> [HTML] {
    [
      ("people", "People", Permission.manageUsers), ("audit", "Audit log", .viewAudit),
      ("system", "System", .operate),
    ].filter { visitor.user.role.may($0.2) }
      .map { #"<a href="\#(Address($0.0))">\#($0.1)</a>\#n"# }
  }

  private func switcher(_ frame: PageFrame) -> HTML? {
    guard !frame.projects.isEmpty else { return nil }
    let section = (frame.section ?? .live).rawValue
    let items = frame.projects.map { project -> HTML in
      """
      <a href="\(Address("projects", "\(project.id)", section))"\
      \(#" aria-current="true""#, if: project.id == frame.project?.id)>\
      <span class="cut">\(project.name)</span></a>

      """
    }
    return """
      <details class="menu" data-menu>
      <summary aria-label="Project: \(frame.project?.name ?? "none"). Switch project">\
      <span class="cut">\(frame.project?.name ?? "Projects")</span>\(Icons.chevron)</summary>
      <div class="menu-box">\(items)\
      \(frame.visitor?.user.role.may(.createProject) == true
        ? #"<a class="menu-more" href="\#(Address("projects", "new"))">New project…</a>"# as HTML : nil)\
      </div></details>
      """
  }

  private func navigation(_ frame: PageFrame) -> HTML? {
    guard let project = frame.project else { return nil }
    let sections = PageFrame.Section.allCases.filter { section in
      frame.visitor?.user.role.may(section.permission) ?? false
    }
    func link(_ section: PageFrame.Section) -> HTML {
      """
      <a href="\(Address("projects", "\(project.id)", section.rawValue))"\
      \(#" aria-current="page""#, if: section == frame.section)>\(section.title)</a>

      """
    }
    let menus = PageFrame.Menu.allCases.compactMap { menu -> HTML? in
      let inside = sections.filter { $0.menu == menu }
      guard !inside.isEmpty else { return nil }
      let here = inside.first { $0 == frame.section }
      return """
        <details class="menu" data-menu><summary\(#" class="here""#, if: here != nil)>\
        \(here?.title ?? menu.rawValue)\(Icons.chevron)</summary>
        <div class="menu-box">\(inside.map(link))</div></details>

        """
    }
    return """
      <nav class="nav" aria-label="Project">\(sections.filter { $0.menu == nil }.map(link))\
      \(menus)</nav>
      """
  }

  /// The hidden field that every form carries.
  func tokenField(_ visitor: Visitor) -> HTML { FormToken.field(visitor.formToken) }
}

extension FormToken {
  /// The hidden field that every form carries.
  static func field(_ token: String) -> HTML {
    #"<input type="hidden" name="form_token" value="\#(token)">"#
  }
}
