import Catalog
import FootfallSystem
import HTTPServing

extension DashboardSite {
  func installSignIn(in router: inout Router) {
    var quick = RouteOptions()
    quick.isQuick = true
    router.get("/", options: quick) { request in
      self.guarded(request) {
        guard let visitor = try self.visitor(request) else {
          return .now(.redirect(to: "/sign-in"))
        }
        guard let first = try self.catalog.projects().first else {
          // Only an owner can make the first one; others see who they are.
          let mayCreate = visitor.user.role.may(.createProject)
          return .now(
            .redirect(to: (mayCreate ? Address("projects", "new") : Address("account")).text)
          )
        }
        return .now(.redirect(to: LiveQuery().address(project: first.id).text))
      }
    }
    router.get("/sign-in", options: quick) { request in
      self.guarded(request) {
        if try self.visitor(request) != nil { return .now(.redirect(to: "/")) }
        return try self.signInPage(request, next: request.query("next"))
      }
    }
    router.post("/sign-in", options: quick) { request in
      self.guarded(request) { try self.signInByPassword(request) }
    }
    router.get("/sign-in/:link", options: quick) { request in
      self.guarded(request) {
        let link = request.parameter("link")
        let isValid = try self.catalog.isSignInLinkValid(link)
        // Whoever is in already needs no link; a good one may be another person's.
        if !isValid, try self.visitor(request) != nil { return .now(.redirect(to: "/")) }
        let (cookie, isNew) = try self.visitorCookie(request)
        let page = SignInLinkPage(
          formToken: FormToken.make(for: cookie),
          link: link,
          isValid: isValid,
          hasPasswords: try self.hasPasswords,
          signInCommand: self.settings.signInCommand
        )
        return .now(self.withCookie(isNew ? cookie : nil, request, self.page(page)))
      }
    }
    router.post("/sign-in/:link", options: quick) { request in
      self.guarded(request) { try self.signInByLink(request) }
    }
    router.post(
      "/sign-out",
      options: quick,
      handler: signedInForm(.ownAccount) { request, visitor in
        try self.catalog.signOut(session: visitor.session)
        var response = Response.redirect(to: "/sign-in")
        response.setCookie(
          self.cookie(self.name(Self.sessionCookie, request), "", maxAgeSeconds: 0)
        )
        return .now(response)
      }
    )
  }

  private func signInByPassword(_ request: Request) throws -> Reply {
    try checkForm(request, cookie: request.cookie(name(Self.formCookie, request)))
    let next = request.form("next")
    if let seconds = attempt(request) { return tooMany(seconds, request) }
    let name = request.form("name") ?? ""
    let session = try catalog.signIn(
      name: name,
      password: request.form("password") ?? "",
      browser: BrowserName.of(request.header("user-agent"))
    )
    guard let session else {
      return try signInPage(
        request,
        next: next,
        name: name,
        problem: "This name and password do not belong together.",
        status: 401
      )
    }
    return begin(session, request, next: next)
  }

  private func signInByLink(_ request: Request) throws -> Reply {
    let cookie = request.cookie(name(Self.formCookie, request))
    try checkForm(request, cookie: cookie)
    let link = request.parameter("link")
    // Nobody guesses a link, so attempts are not counted: whoever uses passwords up for all others
    // must not use this way up too. It is looked for first, since only a good one may cost a write.
    guard try catalog.isSignInLinkValid(link),
      let session = try catalog.signIn(
        link: link,
        browser: BrowserName.of(request.header("user-agent"))
      )
    else {
      let page = SignInLinkPage(
        formToken: FormToken.make(for: cookie ?? ""),
        link: "",
        isValid: false,
        hasPasswords: try hasPasswords,
        signInCommand: settings.signInCommand
      )
      return .now(self.page(page, status: 410))
    }
    return begin(session, request, next: nil)
  }

  private func begin(_ session: NewSession, _ request: Request, next: String?) -> Reply {
    limiter.withLock { $0.succeeded(from: request.remoteAddress) }
    let address = next.flatMap(Address.init(local:)) ?? Address()
    var response = Response.redirect(to: address.text)
    let seconds = Int(Catalog.sessionDays) * 86_400
    response.setCookie(
      cookie(name(Self.sessionCookie, request), session.token, maxAgeSeconds: seconds)
    )
    response.setCookie(cookie(name(Self.formCookie, request), "", maxAgeSeconds: 0))
    return .now(response)
  }

  private func signInPage(
    _ request: Request,
    next: String?,
    name: String = "",
    problem: String? = nil,
    status: Int = 200
  ) throws -> Reply {
    let (cookie, isNew) = try visitorCookie(request)
    let page = SignInPage(
      formToken: FormToken.make(for: cookie),
      next: next.flatMap(Address.init(local:))?.text,
      hasPasswords: try hasPasswords,
      signInCommand: settings.signInCommand,
      name: name,
      problem: problem
    )
    return .now(withCookie(isNew ? cookie : nil, request, self.page(page, status: status)))
  }

  private var hasPasswords: Bool {
    get throws { try catalog.users().contains(where: \.hasPassword) }
  }

  func attempt(_ request: Request) -> Int? {
    let address = request.remoteAddress
    return limiter.withLock { $0.attempt(from: address, nowMs: clock.nowMs()) }
  }

  func tooMany(_ seconds: Int, _ request: Request) -> Reply {
    let minutes = (seconds + 59) / 60
    var response = problemPage(
      PageProblem(
        status: 429,
        title: "Too many attempts",
        message: "Try again in \(minutes) minute\(minutes == 1 ? "" : "s")."
      ),
      request
    )
    response.setHeader("Retry-After", "\(seconds)")
    return .now(response)
  }

  /// The cookie that ties a form to a browser before anyone is signed in.
  private func visitorCookie(_ request: Request) throws -> (cookie: String, isNew: Bool) {
    if let cookie = request.cookie(name(Self.formCookie, request)), cookie.utf8.count >= 32 {
      return (cookie, false)
    }
    guard let cookie = FormToken.newCookie() else {
      throw PageProblem(
        status: 503,
        title: "That did not work",
        message: "This machine gave no random numbers."
      )
    }
    return (cookie, true)
  }

  private func withCookie(
    _ value: String?,
    _ request: Request,
    _ response: Response
  ) -> Response {
    guard let value else { return response }
    var response = response
    response.setCookie(cookie(name(Self.formCookie, request), value))
    return response
  }
}
