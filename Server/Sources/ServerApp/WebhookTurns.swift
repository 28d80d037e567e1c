import Catalog

/// A program that alerts are told to: a host and its port.
struct WebhookReceiver: Hashable {
  private let host: String
  private let port: UInt16

  /// The receiver of an alert; all whose address cannot be read are one.
  init(of alert: Alert) {
    let address = WebhookAddress(alert.terms.webhook)
    host = address?.host.lowercased() ?? ""
    port = address?.port ?? 0
  }
}

/// Which receivers are told at once.
///
/// A value that decides: a receiver has one turn at a time, all together have a bounded number, and those that
/// took nothing the last time leave some of it free for the others.
struct WebhookTurns {
  /// How many receivers are told at once.
  static let hands = 16
  /// How many of them may be such that took nothing the last time.
  static let handsForFailing = 12

  private(set) var underWay: Set<WebhookReceiver> = []
  private(set) var failing: Set<WebhookReceiver> = []

  /// Begins turns of those that wait, as many as may be; who took something the last time comes first.
  ///
  /// - Parameters:
  ///   - waiting: who waits, the longest first.
  ///   - known: all receivers there are; others are forgotten.
  /// - Returns: whose turn begins.
  mutating func begin(
    _ waiting: [WebhookReceiver],
    among known: Set<WebhookReceiver>
  ) -> [WebhookReceiver] {
    failing.formIntersection(known)
    let ordered = waiting.filter { !failing.contains($0) } + waiting.filter(failing.contains)
    return ordered.filter { receiver in
      let isFailing = failing.contains(receiver)
      guard !underWay.contains(receiver), underWay.count < Self.hands,
        !isFailing || underWay.intersection(failing).count < Self.handsForFailing
      else { return false }
      underWay.insert(receiver)
      return true
    }
  }

  /// Ends a turn.
  ///
  /// - Parameters:
  ///   - receiver: whose.
  ///   - wasTaken: whether it took what it was told last; nil where it was told nothing.
  mutating func end(_ receiver: WebhookReceiver, wasTaken: Bool?) {
    underWay.remove(receiver)
    switch wasTaken {
    case true?: failing.remove(receiver)
    case false?: failing.insert(receiver)
    case nil: break
    }
  }
}
