import Catalog
import FootfallSystem

/// Tells what alerts have to tell, each receiver on a thread of its own.
///
/// A receiver is told one message after another. Its turn ends with the first that it does not take, so that
/// one that does not answer holds up its own messages only.
final class AlertDeliveries: Sendable {
  /// After how many seconds a turn ends though its receiver takes what it is told: others may wait.
  private static let turnSeconds = 10.0

  private struct State {
    var turns = WebhookTurns()
    var isStopping = false
  }

  private let state = Monitor(State())

  /// Begins to tell, and returns at once.
  ///
  /// Alerts whose receiver is being told, or that find no hand free, are to be handed over again.
  ///
  /// - Parameters:
  ///   - due: the alerts that have something to tell.
  ///   - all: all alerts.
  ///   - tell: tells one alert's message, if it still has one for that receiver, and says whether it was
  ///     taken; nil where there was none.
  /// - Throws: why a thread did not start; what it would have told is due the next time.
  func begin(
    _ due: [Alert],
    among all: [Alert],
    tell: @escaping @Sendable (Alert, WebhookReceiver) -> Bool?
  ) throws(SystemError) {
    let ordered = due.sorted { Self.dueMs($0) < Self.dueMs($1) }
    let waiting = Dictionary(grouping: ordered, by: WebhookReceiver.init(of:))
    let known = Set(all.map(WebhookReceiver.init(of:)))
    let order = waiting.sorted { Self.dueMs($0.value.first) < Self.dueMs($1.value.first) }.map(
      \.key
    )
    let begun = state.withLock { state in
      state.isStopping ? [] : state.turns.begin(order, among: known)
    }
    var failure: SystemError?
    for receiver in begun {
      let alerts = waiting[receiver] ?? []
      do throws(SystemError) {
        _ = try SystemThread(name: "ff-alert-tell") { [self] in
          let wasTaken = turn(alerts, receiver, tell)
          state.change { $0.turns.end(receiver, wasTaken: wasTaken) }
        }
      } catch {
        state.change { $0.turns.end(receiver, wasTaken: nil) }
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Waits until nothing is under way.
  func wait() { state.wait { $0.turns.underWay.isEmpty ? () : nil } }

  /// Begins nothing more and waits for what is under way.
  func stop() {
    state.change { $0.isStopping = true }
    wait()
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func turn(
    _ alerts: [Alert],
    _ receiver: WebhookReceiver,
    _ tell: (Alert, WebhookReceiver) -> Bool?
  ) -> Bool? {
    let end = MonotonicTime.now().advanced(bySeconds: Self.turnSeconds)
    var outcome: Bool?
    for alert in alerts where !isStopping && MonotonicTime.now() < end {
      guard let wasTaken = tell(alert, receiver) else { continue }
      outcome = wasTaken
      if !wasTaken { break }
    }
    return outcome
  }

  private static func dueMs(_ alert: Alert?) -> Int64 {
    alert?.state.messages.first?.nextMs ?? .max
  }
}
