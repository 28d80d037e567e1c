import Catalog
import EventStore

/// Decides which events a project's rules no longer keep.
struct RetentionPlan {
  /// What is to be removed; nothing while everything is kept for ever.
  let expired: [ExpiredEvents]

  init(_ rules: ProjectRules, project: UInt32, nowMs: Int64) {
    func before(_ days: Int) -> Int64 { nowMs - Int64(days) * 86_400_000 }
    var expired = rules.names.map { rule in
      ExpiredEvents(project: project, beforeMs: before(rule.days), name: rule.name)
    }
    if let days = rules.retentionDays {
      expired.append(
        ExpiredEvents(
          project: project,
          beforeMs: before(days),
          otherNames: rules.names.map(\.name)
        )
      )
    }
    self.expired = expired
  }
}
