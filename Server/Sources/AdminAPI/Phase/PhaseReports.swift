import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights

/// The reports of Phase's read API.
extension PhaseReadSite {
  typealias Report = @Sendable (PhaseCall) throws -> JSONValue

  /// Every report that is asked for by GET, by its path.
  var reports: [(path: String, report: Report)] {
    [
      ("events/overview", { try self.eventsOverview($0) }),
      ("events/timeseries", { try self.eventsSeries($0) }),
      ("events/breakdown", { try self.eventsBreakdown($0) }),
      ("sessions/overview", { try self.sessionsOverview($0) }),
      ("sessions/timeseries", { try self.sessionsSeries($0) }),
      ("sessions/breakdown", { try self.sessionsBreakdown($0) }),
      ("users/overview", { try self.usersOverview($0) }),
      ("users/timeseries", { try self.usersSeries($0) }),
      ("users/breakdown", { try self.usersBreakdown($0) }),
      ("funnels", { try self.funnels($0) }),
      ("funnels/activation", { try self.activation($0) }),
      ("funnels/:funnel", { try self.funnel($0) }),
    ]
  }

  private static let day: Int64 = 86_400_000
  /// Sessions under 5 s are none; under 20 s they bounced.
  private static let measurableMs: Int64 = 5_000
  private static let bounceMs: Int64 = 20_000

  /// The names of what says which days count.
  static let dayNames = ["from", "to", "range"]

  /// Whole days in UTC: `from` and `to` as dates, the last one included; the last 30 unless told.
  ///
  /// What a body says of them goes before the address.
  func scope(
    _ call: PhaseCall,
    _ conditions: [Condition] = [],
    body: Members<PropertyValue> = [:]
  ) throws -> Scope {
    var values: [String: String] = [:]
    for name in Self.dayNames { values[name] = call.request.query(name) }
    let said = body.filter { Self.dayNames.contains($0.key) && $0.value != .null }
    if !said.isEmpty {
      values = try said.reduce(into: [:]) { values, member in
        guard case .text(let text) = member.value else {
          throw PhaseFault.validation("from and to are dates such as \"2026-12-01\".")
        }
        values[member.key] = text
      }
    }
    let setting = QuestionForm.Setting(project: call.project, timeZone: .gmt, nowMs: nowMs())
    let range = try TimeRange(QuestionForm(values, setting))
    guard range.days <= 365 else { throw PhaseFault.validation("A range has at most 365 days.") }
    return Scope(
      project: call.project,
      fromMs: range.fromMs,
      toMs: range.toMs,
      conditions: conditions,
      unit: .devices
    )
  }

  private static let days = TimeAxis(.day, timeZone: .gmt)
  // What the collector makes of a session's start is no event of Phase's.
  private static let noStart = Condition(.name, .differs, "session_start")

  private func limit(_ call: PhaseCall) throws -> Int {
    guard let text = call.request.query("limit") else { return 10 }
    guard let limit = Int(text), (1...50).contains(limit) else {
      throw PhaseFault.validation("limit is a whole number from 1 to 50.")
    }
    return limit
  }

  private static func number(_ number: Double?) -> JSONValue {
    guard let number, number.isFinite else { return .null }
    return Int64(exactly: number).map { .integer($0) } ?? .raw("\(number)")
  }

  /// With two decimals, as Phase rounds.
  static func rounded(_ number: Double?) -> JSONValue {
    Self.number(number.map { ($0 * 100).rounded() / 100 })
  }

  private static func date(_ ms: Int64) -> JSONValue {
    .text(
      Date(timeIntervalSince1970: Double(ms) / 1_000)
        .formatted(.iso8601.year().month().day().dateSeparator(.dash))
    )
  }

  private func series(_ starts: [Int64], _ values: [Double?]) -> JSONValue {
    [
      "data": .list(
        zip(starts, values).map { ["date": Self.date($0), "value": Self.rounded($1)] }
      ), "meta": meta(),
    ]
  }

  private func breakdown(_ entries: [(String?, Double)]) -> JSONValue {
    [
      "data": .list(
        entries.map { name, count in
          ["value": .optional(name), "count": Self.number(count)]
        }
      ), "meta": meta(),
    ]
  }

  // MARK: Events

  private func events(
    _ scope: Scope,
    _ measure: Trend.Measure = .events,
    by field: Field? = nil,
    limit: Int = 50
  ) throws -> Trend.Output {
    try Trend(scope, axis: Self.days, measure: measure, breakdown: field, limit: limit).run(
      on: store
    )
  }

  private func eventsOverview(_ call: PhaseCall) throws -> JSONValue {
    let scope = try scope(call, [Self.noStart])
    let count = try events(scope).all.total ?? 0
    let users = try ActivePeople(scope).run(on: store)
    return [
      "data": [
        "totalEvents": Self.number(count), "uniqueUsers": .number(users),
        "eventsPerUser": Self.rounded(users == 0 ? nil : count / Double(users)),
      ], "meta": meta(),
    ]
  }

  private func eventsSeries(_ call: PhaseCall) throws -> JSONValue {
    let answer = try events(try scope(call, [Self.noStart]))
    return series(answer.bucketStartsMs, answer.all.values)
  }

  private func eventsBreakdown(_ call: PhaseCall) throws -> JSONValue {
    let dimension = try call.choice("dimension", ["eventName", "screenName"])
    // A screen's name begins with a slash; the collector sees to that.
    let scope = try scope(call, [Self.noStart])
    let names = try EventSums(scope, isScreen: dimension == "screenName", limit: try limit(call))
      .run(on: store)
    return breakdown(names.map { ($0.name, Double($0.count)) })
  }

  // MARK: Sessions

  private func sessions(_ call: PhaseCall, by field: Field? = nil) throws -> SessionTrend.Output {
    var scope = try scope(call)
    // Without users a device is a person, and what people did is summed up already.
    if try !UsersSeen(project: call.project).run(on: store) { scope.unit = .people }
    return try SessionTrend(
      scope,
      axis: Self.days,
      minimumMs: Self.measurableMs,
      bounceMs: Self.bounceMs,
      breakdown: field,
      limit: field == nil ? 1 : try limit(call)
    ).run(on: store)
  }

  private static func average(_ sum: SessionTrend.Sum) -> Double? {
    sum.averageLengthMs.map { $0 / 1_000 }
  }

  private static func bounceRate(_ sum: SessionTrend.Sum) -> Double? {
    sum.count == 0 ? nil : Double(sum.bounces) / Double(sum.count) * 100
  }

  private func sessionsOverview(_ call: PhaseCall) throws -> JSONValue {
    let all = try sessions(call).all
    return [
      "data": [
        "totalSessions": .number(all.count), "avgSessionDuration": Self.rounded(Self.average(all)),
        "bounceRate": Self.rounded(Self.bounceRate(all)),
      ], "meta": meta(),
    ]
  }

  private func sessionsSeries(_ call: PhaseCall) throws -> JSONValue {
    let metric = try call.choice("metric", ["sessionCount", "avgSessionDuration", "bounceRate"])
    let answer = try sessions(call)
    return series(
      answer.bucketStartsMs,
      answer.buckets.map { sum in
        switch metric {
        case "avgSessionDuration": Self.average(sum)
        case "bounceRate": Self.bounceRate(sum)
        default: Double(sum.count)
        }
      }
    )
  }

  private func sessionsBreakdown(_ call: PhaseCall) throws -> JSONValue {
    let field = try dimension(call)
    let lines = try sessions(call, by: field).lines
    return breakdown(
      lines.compactMap { line in line.group.map { ($0.phaseValue, Double(line.sum.count)) } }
    )
  }

  private func dimension(_ call: PhaseCall) throws -> Field {
    try call.choice("dimension", ["platform", "country"]) == "platform" ? .platform : .country
  }

  // MARK: Users

  private func usersOverview(_ call: PhaseCall) throws -> JSONValue {
    let scope = try scope(call)
    return [
      "data": [
        "totalUsers": .number(
          try NewPeople(scope.over(fromMs: 0, toMs: scope.toMs)).run(on: store)
        ),
        "activeUsers": .number(try ActivePeople(scope).run(on: store)),
        "newUsers": .number(try NewPeople(scope).run(on: store)),
      ], "meta": meta(),
    ]
  }

  private func usersSeries(_ call: PhaseCall) throws -> JSONValue {
    let metric = try call.choice("metric", ["activeUsers", "totalUsers", "newUsers"])
    let scope = try scope(call)
    let buckets = try Activity(scope, axis: Self.days).run(on: store)
    var total = 0
    if metric == "totalUsers" {
      total = try NewPeople(scope.over(fromMs: 0, toMs: scope.fromMs)).run(on: store)
    }
    let values = buckets.map { bucket -> Double? in
      total += bucket.new
      switch metric {
      case "newUsers": return Double(bucket.new)
      case "totalUsers": return Double(total)
      default: return Double(bucket.active)
      }
    }
    return series(buckets.map(\.startMs), values)
  }

  private func usersBreakdown(_ call: PhaseCall) throws -> JSONValue {
    let field = try dimension(call)
    let lines = try events(try scope(call), .people, by: field, limit: try limit(call)).lines
    return breakdown(
      lines.compactMap { line in line.group.map { ($0.phaseValue, line.total ?? 0) } }
    )
  }
}

extension Group {
  /// The value as Phase's reports have it; nil where there is none.
  fileprivate var phaseValue: String? {
    if case .missing = self { nil } else { title }
  }
}
