import Catalog
import HTTPServing

/// Someone who is signed in, for the length of one request.
struct Visitor: Sendable {
  let user: User
  /// The session's secret; never part of a page.
  let session: String

  /// What every form of theirs carries.
  var formToken: String { FormToken.make(for: session) }

  /// Who the audit log says it was.
  var actor: Actor { .user(user.name) }
}

/// Why a request gets a page with an explanation instead of what it asked for.
struct PageProblem: Error {
  let status: Int
  let title: String
  let message: String

  static let notFound = PageProblem(
    status: 404,
    title: "Page not found",
    message: "Nothing has this address: it may be mistyped, or what it showed was removed."
  )
  static func forbidden(_ role: Role, needs permission: Permission) -> PageProblem {
    let able = Role.allCases.filter { $0.may(permission) }.map { $0.rawValue + "s" }.sorted()
    return PageProblem(
      status: 403,
      title: "Your role does not include this",
      message:
        "You are signed in as \(role == .viewer ? "a" : "an") \(role.rawValue); this is for \(able.joined(separator: " and ")). Ask one of them to do it, or an owner to change your role."
    )
  }
  static let forged = PageProblem(
    status: 403,
    title: "This form has expired",
    message: "Nothing was changed. Go back, reload the page and send the form again."
  )
}

extension DashboardSite {
  static let sessionCookie = "footfall_session"
  static let formCookie = "footfall_form"

  /// A cookie's name as this server's browsers know it.
  ///
  /// Cookies belong to a host with all its ports. With the port in their names, two servers on one
  /// machine do not sign each other's people out.
  func name(_ cookie: String, _ request: Request) -> String {
    guard settings.publicURL == nil, let port = request.header("host")?.split(separator: ":").last,
      port.utf8.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return cookie }
    return "\(cookie)_\(port)"
  }

  /// Who is signed in, or nil.
  func visitor(_ request: Request) throws -> Visitor? {
    guard let session = request.cookie(name(Self.sessionCookie, request)), !session.isEmpty,
      let user = try catalog.user(session: session)
    else { return nil }
    return Visitor(user: user, session: session)
  }

  /// Answers for people who are signed in and may do that; sends others to sign in and brings them
  /// back.
  func signedIn(
    _ permission: Permission = .viewEvents,
    _ answer: @escaping @Sendable (Request, Visitor) throws -> Reply
  ) -> Handler {
    { request in
      self.guarded(request) {
        guard let visitor = try self.visitor(request) else { return self.refusal(request) }
        guard visitor.user.role.may(permission) else {
          throw PageProblem.forbidden(visitor.user.role, needs: permission)
        }
        return try answer(request, visitor)
      }
    }
  }

  /// Answers a form of someone who is signed in and may do that, if it came from a page of ours.
  func signedInForm(
    _ permission: Permission = .manageProject,
    _ answer: @escaping @Sendable (Request, Visitor) throws -> Reply
  ) -> Handler {
    signedIn(permission) { request, visitor in
      try self.checkForm(request, cookie: visitor.session)
      return try answer(request, visitor)
    }
  }

  /// Answers bytes that a script of ours sent, with the token of its page as a header field.
  func signedInBytes(
    _ permission: Permission,
    _ answer: @escaping @Sendable (Request, Visitor) throws -> Reply
  ) -> Handler {
    signedIn(permission) { request, visitor in
      try self.check(request, token: request.header("x-form-token"), cookie: visitor.session)
      return try answer(request, visitor)
    }
  }

  /// Refuses a form that another site made the browser send.
  func checkForm(_ request: Request, cookie: String?) throws {
    try check(request, token: request.form("form_token"), cookie: cookie)
  }

  private func check(_ request: Request, token: String?, cookie: String?) throws {
    let site = request.header("sec-fetch-site")
    guard site == nil || site == "same-origin", let cookie, !cookie.isEmpty,
      FormToken.isValid(token ?? "", for: cookie)
    else { throw PageProblem.forged }
  }

  /// Turns whatever is thrown into a page that says what happened.
  func guarded(_ request: Request, _ answer: () throws -> Reply) -> Reply {
    do {
      return try answer()
    } catch let problem as PageProblem {
      return .now(problemPage(problem, request))
    } catch {
      return .now(
        problemPage(
          PageProblem(
            status: 503,
            title: "That did not work",
            message: settings.faults.note(error)
          ),
          request
        )
      )
    }
  }

  func cookie(_ name: String, _ value: String, maxAgeSeconds: Int? = nil) -> Cookie {
    var cookie = Cookie(name: name, value: value, maxAgeSeconds: maxAgeSeconds)
    cookie.isSecure = settings.isBehindTLS
    return cookie
  }

  private func refusal(_ request: Request) -> Reply {
    // A strict cookie stays at home when a link on another site is followed. Loading the same
    // address again, now from our own page, brings it along.
    let isReading = request.method == .get || request.method == .head
    if isReading, request.header("sec-fetch-site") == "cross-site",
      request.header("sec-fetch-mode") == "navigate"
    {
      return .now(page(ComingBackPage(address: localAddress(of: request))))
    }
    let isPart = request.header("hx-request") != nil || request.header("sec-fetch-mode") == "cors"
    guard isReading, !isPart else {
      var response = Response.text("Sign in again.\n", status: 401)
      response.setHeader("HX-Redirect", Address("sign-in").text)
      return .now(response)
    }
    let next = localAddress(of: request)
    let signIn = Address("sign-in").with("next", next == Address() ? nil : next.text)
    return .now(.redirect(to: signIn.text))
  }

  /// The path and query a request asked for, which is where it may be sent back to.
  private func localAddress(of request: Request) -> Address {
    var address = Address(segments: request.path.split(separator: "/").map(String.init))
    for (name, value) in request.queryItems { address = address.with(name, value) }
    return address
  }
}
