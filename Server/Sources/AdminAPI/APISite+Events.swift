import HTTPServing
import Catalog
import EventRecord
import EventStore
import Foundation
import Insights

extension APIRoute.Parameter {
  static let eventName = query("name", .text(1...256), "Only events of this name.")
  static let person = query("person", .text(1...1_024), "Only of this user or device id.")
  static let test = query("test", .boolean, "Whether test events count; unless told they do not.")
  static let from = query("from", .time, "From when on.")
  static let to = query("to", .time, "Up to when, this moment excluded; now unless told.")
}

extension APISite {
  /// Calls on events and what can be counted of them.
  var eventRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/events",
        "listEvents",
        "Events of every kind, test events included, the last received first.",
        needs: .viewEvents,
        parameters: [
          .project, .eventName, .person,
          .query("deployment", .text(1...100), "Only those sent with a key of this label."),
          .query("before", .text(1...200), "The “next” of the page before."), .limit,
        ],
        answer: .pages("events", of: .event, max: 1_000)
      ) { try self.listEvents($0) },
      APIRoute(
        .get,
        "/projects/{project}/events/{event}",
        "getEvent",
        "One event.",
        needs: .viewEvents,
        parameters: [.project, .path("event", .eventKey, "The event's key.")],
        answer: .event
      ) { call in
        guard let key = call.text("event").flatMap(EventKey.init),
          let event = try EventDetail(project: call.project, key: key).run(on: self.store)
        else { throw APIProblem.notFound }
        return JSONValue(event)
      },
      APIRoute(
        .get,
        "/projects/{project}/names",
        "listNames",
        "The names of events, the most frequent first.",
        needs: .viewEvents,
        parameters: [.project, .person, .test, .limit],
        answer: .object([
          APIField(
            "names",
            .list(
              .object([
                APIField("name", .text(0...1_100)), APIField("count", .count),
                APIField("last_seen", .anyTime),
              ]),
              max: 1_000
            )
          ), APIField("cut", .boolean, "Whether there are more names than are told."),
        ])
      ) { call in
        let limit = Int(call.integer("limit") ?? 100)
        let names = try EventNames(
          project: call.project,
          includesTest: call.flag("test") ?? false,
          person: call.text("person"),
          limit: limit + 1
        ).run(on: self.store)
        return [
          "cut": .boolean(names.count > limit),
          "names": .list(
            names.prefix(limit).map {
              [
                "name": .text($0.name), "count": .number($0.count),
                "last_seen": .integer($0.lastSeenMs),
              ]
            }
          ),
        ]
      },
    ] + countRoutes
  }

  private func listEvents(_ call: APICall) throws -> JSONValue {
    let before = try call.text("before").map { text in
      guard let place = RecentEvents.Place(text: text) else {
        throw APIProblem.invalid("before", "“before” is the “next” of an answer.")
      }
      return place
    }
    let limit = Int(call.integer("limit") ?? 100)
    let events = try RecentEvents(
      project: call.project,
      name: call.text("name"),
      person: call.text("person"),
      deployment: call.text("deployment"),
      before: before,
      limit: limit
    ).run(on: store)
    let next = events.count == limit ? events.last.map { RecentEvents.Place(of: $0).text } : nil
    return ["events": .list(events.map { JSONValue($0) }), "next": .optional(next)]
  }

  private var countRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/series",
        "getSeries",
        "How many events of each name happened per minute or day; of a long range the last \(EventSeries.maxBuckets) buckets.",
        needs: .viewEvents,
        parameters: [
          .project, .from, .to,
          .query("interval", .choice(["minute", "day"]), "Day unless told."), .eventName, .person,
          .test,
        ],
        answer: .object([
          APIField("bucket_starts", .list(.anyTime, max: EventSeries.maxBuckets)),
          APIField(
            "lines",
            .list(
              .object([
                APIField("name", .nullable(.text(0...1_100)), "Null for all other names."),
                APIField("total", .count),
                APIField("counts", .list(.count, max: EventSeries.maxBuckets)),
              ]),
              max: 100
            )
          ),
        ])
      ) { try self.series($0) },
      APIRoute(
        .get,
        "/projects/{project}/active",
        "countActive",
        "How many people did something.",
        needs: .viewEvents,
        parameters: [.project, .from, .to, .eventName, .test],
        answer: .object([
          APIField("people", .count), APIField("from", .time), APIField("to", .time),
        ])
      ) { call in
        let (from, to) = try self.range(call)
        let people = try ActivePeople(
          Scope(
            project: call.project,
            fromMs: from,
            toMs: to,
            includesTest: call.flag("test") ?? false
          ).with(.name(call.text("name")))
        ).run(on: self.store)
        return ["people": .number(people), "from": .integer(from), "to": .integer(to)]
      },
    ]
  }

  private func series(_ call: APICall) throws -> JSONValue {
    let (from, to) = try range(call)
    let project = try project(call)
    let series = try EventSeries(
      project: project.id,
      interval: call.text("interval") == "minute" ? .minute : .day,
      fromMs: from,
      toMs: to,
      timeZone: TimeZone(identifier: project.timeZone) ?? .gmt,
      name: call.text("name"),
      person: call.text("person"),
      includesTest: call.flag("test") ?? false
    ).run(on: store)
    return [
      "bucket_starts": .list(series.bucketStartsMs.map { .integer($0) }),
      "lines": .list(
        series.lines.map { line in
          [
            "name": .optional(line.name), "total": .number(line.total),
            "counts": .list(line.counts.map { .number($0) }),
          ]
        }
      ),
    ]
  }

  /// The stretch of time asked for; the last 30 days unless told.
  private func range(_ call: APICall) throws -> (fromMs: Int64, toMs: Int64) {
    let to = call.integer("to") ?? nowMs()
    let from = call.integer("from") ?? max(0, to - 30 * 86_400_000)
    guard from <= to else {
      throw APIProblem.invalid("from", "“from” lies after “to”.")
    }
    return (from, to)
  }
}
