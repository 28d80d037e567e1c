import EventRecord

/// What becomes of a request to Phase's SDK API, decided from what is known.
///
/// Devices come first, then sessions, events and pings, each by the client's order, so that an item may
/// stand before what it depends on. Source: `phase.md` sections 6.1 to 6.6.
public struct PhaseDecision: Sendable {
  /// What is to be logged and answered.
  public internal(set) var acceptance: WireAcceptance
  /// The devices and sessions that changed, as they are from now on.
  public internal(set) var changes: PhaseKnowledge
}

extension PhaseCall {
  /// Decides.
  ///
  /// - Parameters:
  ///   - known: The request's devices and sessions, as far as there are any.
  ///   - context: What else is known of the request.
  ///   - scratch: Gives ids and keys to what has none.
  /// - Returns: What to keep, to log and to answer.
  public func decide(
    _ known: PhaseKnowledge,
    _ context: PhaseContext,
    scratch: inout WireScratch
  ) -> PhaseDecision {
    var pass = PhasePass(known, context, scratch)
    pass.deciding = Self.deciding(items)
    for kind in [PhaseItem.Kind.device, .session, .event, .ping] {
      for item in items.filter({ $0.kind == kind }).sorted(by: { $0.orderValue < $1.orderValue }) {
        pass.take(item)
      }
    }
    return pass.decision(of: self)
  }

  /// The one device that a batch may speak of: the one that most of its devices and sessions name,
  /// the first among equals.
  private static func deciding(_ items: [PhaseItem]) -> String? {
    var counts: [String: Int] = [:]
    for id in items.lazy.compactMap(\.deviceID) { counts[id, default: 0] += 1 }
    guard counts.count > 1 else { return nil }
    let most = counts.values.max()
    return items.lazy.compactMap(\.deviceID).first { counts[$0] == most }
  }
}

/// Why an item is refused.
struct PhaseRefusal: Error {
  /// The protocol's codes, with their statuses.
  enum Code: String {
    case validation = "VALIDATION_ERROR"
    case badRequest = "BAD_REQUEST"
    case unauthorized = "UNAUTHORIZED"
    case forbidden = "FORBIDDEN"
    case notFound = "NOT_FOUND"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case tooManyRequests = "TOO_MANY_REQUESTS"
    case internalError = "INTERNAL_SERVER_ERROR"

    var status: Int {
      switch self {
      case .validation, .badRequest: 400
      case .unauthorized: 401
      case .forbidden: 403
      case .notFound: 404
      case .methodNotAllowed: 405
      case .tooManyRequests: 429
      case .internalError: 500
      }
    }
  }

  let code: Code
  let detail: String
}

/// One walk over a request's items.
struct PhasePass: ~Copyable {
  private let context: PhaseContext
  private let window: PhaseWindow
  private var known: PhaseKnowledge
  private var changes = PhaseKnowledge()
  private var record: PhaseRecord
  private var results: [(item: PhaseItem, id: String)] = []
  private var refusals: [(item: PhaseItem, refusal: PhaseRefusal)] = []
  private let scratch: WireScratch
  /// The only device that may be registered or start a session; nil where all may.
  var deciding: String?

  init(_ known: PhaseKnowledge, _ context: PhaseContext, _ scratch: WireScratch) {
    self.known = known
    self.context = context
    self.scratch = scratch
    window = context.path.window(isOwnClient: context.isOwnClient)
    record = PhaseRecord(context)
  }

  mutating func take(_ item: PhaseItem) {
    do throws(PhaseRefusal) {
      if let problem = item.problem { throw PhaseRefusal(code: .validation, detail: problem) }
      results.append((item, try taken(item)))
    } catch {
      refusals.append((item, error))
    }
  }

  /// Takes an item and returns the id that its result has.
  private mutating func taken(_ item: PhaseItem) throws(PhaseRefusal) -> String {
    if let deciding, let id = item.deviceID, id != deciding {
      throw PhaseRefusal(
        code: .forbidden,
        detail: "A batch speaks of one device; most of this one's items name \(deciding)."
      )
    }
    switch item.kind {
    case .device: return try device(item)
    case .session: return try session(item)
    case .event: return try event(item)
    case .ping: return try ping(item)
    }
  }

  // MARK: Devices and sessions

  private mutating func device(_ item: PhaseItem) throws(PhaseRefusal) -> String {
    let id = item.deviceID ?? ""
    var device =
      try ownDevice(id)
      ?? PhaseDevice(project: context.project, firstSeenMs: context.receivedAtMs)
    if known.devices[id] == nil, !item.disablesGeolocation { device.country = context.country }
    device.osVersion = item.osVersion ?? device.osVersion
    device.platform = item.platform ?? device.platform
    device.locale = item.locale ?? device.locale
    device.model = item.model ?? device.model
    device.properties.merge(item.values)
    known.devices[id] = device
    changes.devices[id] = device
    record.append(device: id, device, setting: item.values, scratch)
    return id
  }

  /// A device of the app; nil for one that nobody has registered.
  private func ownDevice(_ id: String) throws(PhaseRefusal) -> PhaseDevice? {
    guard let device = known.devices[id] else { return nil }
    guard device.project == context.project else {
      throw PhaseRefusal(code: .forbidden, detail: "The device belongs to another app.")
    }
    return device
  }

  private mutating func session(_ item: PhaseItem) throws(PhaseRefusal) -> String {
    let id = item.sessionID ?? ""
    let deviceID = item.deviceID ?? ""
    guard let device = try ownDevice(deviceID) else {
      throw PhaseRefusal(code: .notFound, detail: "The device is not known; register it first.")
    }
    if let session = known.sessions[id] {
      guard session.project == context.project, session.deviceID == deviceID else {
        throw PhaseRefusal(code: .validation, detail: "The session belongs to another device.")
      }
      return id
    }
    try checkTime(item.timeMs, "startedAt")
    let session = PhaseSession(
      project: context.project,
      deviceID: deviceID,
      startedMs: item.timeMs
    )
    known.sessions[id] = session
    changes.sessions[id] = session
    record.append(sessionStart: id, session, device)
    return id
  }

  // MARK: Events and pings

  private mutating func event(_ item: PhaseItem) throws(PhaseRefusal) -> String {
    let sessionID = item.sessionID ?? ""
    var session = try ownSession(sessionID)
    try checkTime(item.timeMs, "timestamp")
    guard item.timeMs >= session.declaredMs - PhaseRules.maxBeforeSessionMs else {
      throw PhaseRefusal(
        code: .validation,
        detail: "The event lies more than an hour before its session's start."
      )
    }
    try checkLength(item, of: session)
    session.startedMs = min(session.startedMs, item.timeMs)
    session.lastActivityMs = max(session.lastActivityMs, item.timeMs)
    update(sessionID, session)
    let id = item.eventID.flatMap { $0.isEmpty ? nil : $0 } ?? scratch.ulid(atMs: item.timeMs)
    record.append(
      event: item,
      id: id,
      sessionID: sessionID,
      session,
      known.devices[session.deviceID],
      scratch
    )
    return id
  }

  private mutating func ping(_ item: PhaseItem) throws(PhaseRefusal) -> String {
    let sessionID = item.sessionID ?? ""
    var session = try ownSession(sessionID)
    try checkTime(item.timeMs, "timestamp")
    if context.path == .batch, item.timeMs < session.startedMs {
      throw PhaseRefusal(
        code: .validation,
        detail: "The ping lies before its session's start."
      )
    }
    try checkLength(item, of: session)
    if item.timeMs > session.lastActivityMs {
      session.lastActivityMs = item.timeMs
      update(sessionID, session)
    }
    record.append(ping: item.timeMs, sessionID: sessionID, session)
    return sessionID
  }

  private func ownSession(_ id: String) throws(PhaseRefusal) -> PhaseSession {
    guard let session = known.sessions[id] else {
      throw PhaseRefusal(code: .notFound, detail: "The session is not known; start it first.")
    }
    guard session.project == context.project else {
      throw PhaseRefusal(code: .forbidden, detail: "The session belongs to another app.")
    }
    guard context.receivedAtMs - session.declaredMs <= window.pastMs else {
      throw PhaseRefusal(
        code: .validation,
        detail: "The session started more than \(Self.text(window.pastMs)) ago."
      )
    }
    return session
  }

  private mutating func update(_ id: String, _ session: PhaseSession) {
    known.sessions[id] = session
    changes.sessions[id] = session
  }

  private func checkTime(_ timeMs: Int64, _ field: String) throws(PhaseRefusal) {
    let ahead = timeMs - context.receivedAtMs
    guard ahead <= window.futureMs else {
      throw PhaseRefusal(
        code: .validation,
        detail: "\(field) lies more than \(Self.text(window.futureMs)) ahead."
      )
    }
    guard ahead >= -window.pastMs else {
      throw PhaseRefusal(
        code: .validation,
        detail: "\(field) lies more than \(Self.text(window.pastMs)) back."
      )
    }
  }

  private func checkLength(_ item: PhaseItem, of session: PhaseSession) throws(PhaseRefusal) {
    guard item.timeMs <= session.declaredMs + PhaseRules.maxSessionMs else {
      throw PhaseRefusal(
        code: .validation,
        detail: "The \(item.kind.rawValue) lies more than 2 hours after its session's start."
      )
    }
  }

  private static func text(_ ms: Int64) -> String {
    switch ms {
    case ..<3_600_000: "\(ms / 60_000) minutes"
    case ..<86_400_000: "\(ms / 3_600_000) hours"
    default: "\(ms / 86_400_000) days"
    }
  }

  // MARK: The outcome

  consuming func decision(of call: PhaseCall) -> PhaseDecision {
    let answer =
      context.path == .batch
      ? PhaseAnswers.batch(results: results, refusals: refusals)
      : single(call)
    let rejections: [RejectionReason: Int] = refusals.isEmpty ? [:] : [.refusedItem: refusals.count]
    return PhaseDecision(
      acceptance: WireAcceptance(
        record: record.bytes,
        events: record.count,
        duplicates: 0,
        rejections: rejections,
        clientDropped: [:],
        answer: answer
      ),
      changes: changes
    )
  }

  private borrowing func single(_ call: PhaseCall) -> WireAnswer {
    if let refused = refusals.first { return PhaseAnswers.refusal(refused.refusal) }
    guard let (item, id) = results.first else {
      return PhaseAnswers.refusal(PhaseRefusal(code: .badRequest, detail: "Nothing was sent."))
    }
    switch item.kind {
    case .device:
      return PhaseAnswers.device(id, known.devices[id], readsAll: context.isOwnClient)
    case .session: return PhaseAnswers.session(id, known.sessions[id])
    case .event:
      let session = known.sessions[item.sessionID ?? ""]
      return PhaseAnswers.event(item, id: id, session, isDebug: context.isDebug)
    case .ping: return PhaseAnswers.ping(id, known.sessions[id])
    }
  }
}
