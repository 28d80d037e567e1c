import Catalog
import HTTPServing

extension APISite {
  /// Calls on what was not kept.
  var qualityRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/losses",
        "listLosses",
        "What came and was not kept, or was dropped by clients, by day (UTC), kind, reason and library.",
        needs: .viewEvents,
        parameters: [
          .project,
          .query("days", .integer(1...Catalog.usageDays), "How many days; 30 unless told."),
        ],
        answer: .page(
          "losses",
          of: .object([
            APIField("day", .time, "The day's first moment."),
            APIField("kind", .choice(DayLosses.Kind.allCases.map(\.rawValue))),
            APIField("reason", .text(0...100)),
            APIField("library", .text(0...100), "Empty where the client did not tell."),
            APIField("count", .count),
          ]),
          max: 10_000_000
        )
      ) { call in
        let today = self.nowMs() / 86_400_000
        let losses = try self.catalog.losses(
          project: call.project,
          fromDay: today + 1 - (call.integer("days") ?? 30)
        )
        return [
          "losses": .list(
            losses.map { loss in
              [
                "day": .integer(loss.place.day * 86_400_000),
                "kind": .text(loss.place.kind.rawValue), "reason": .text(loss.place.reason),
                "library": .text(loss.place.library), "count": .number(loss.count),
              ]
            }
          )
        ]
      }
    ]
  }
}
