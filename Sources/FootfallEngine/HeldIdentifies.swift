import FootfallCore
import FootfallOutbox

/// The identifies a destination holds back: the rule that merges them, and where they wait meanwhile.
struct HeldIdentifies: ~Copyable {
  /// Says what is held and what goes.
  var coalescer: IdentifyCoalescer<Event>
  /// Where they survive the process; nil until there is something for it.
  var store: (any HeldPlace)?
  /// The ids of those this run put there and has not cleared since.
  var inStore: Set<String> = []
  /// Held and not in the store yet; written with the next commit.
  var unwritten: [Event] = []
  /// Whether everything in the store has gone on its way and is to be cleared.
  var owesClearing = false
  /// The event that made what is in the store pointless; written there before it is queued.
  var clearing: Event?
  /// Whether something was put there since it was synced last.
  var needsSync = false
  /// Whether what is in the store may have been synced, and so has to stay until what came of it is.
  var isSynced = true
  /// Whether the store may have lost some, since its folder failed.
  var isDoubtful = false
  /// Whether the folder may hold what nobody has looked at.
  var isUnread = true
  /// When a store that could not be used is tried again.
  var retryAt: Double?

  init(at now: Double) {
    coalescer = IdentifyCoalescer(at: now)
  }

  /// How many are held.
  var count: Int { coalescer.held.count }
  /// When something is due; nil while nothing waits for time.
  var deadline: Double? {
    earlier(coalescer.deadline, isUnread ? retryAt : nil)
  }

  /// What is held goes on its way.
  mutating func leave() {
    unwritten = []
    if !inStore.isEmpty { owesClearing = true }
  }

  /// The store was cleared.
  mutating func cleared() {
    inStore = []
    owesClearing = false
    isSynced = false
  }

  /// The folder failed: what is in memory goes at once, what is on disk is looked at anew.
  mutating func doubt() {
    store?.close()
    store = nil
    isUnread = true
    retryAt = nil
    isDoubtful = !coalescer.held.isEmpty
  }
}

/// The earlier of two times, where nil is never.
func earlier<Time: Comparable>(_ one: Time?, _ other: Time?) -> Time? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}

extension Event {
  /// What the event means to identifies that are held back.
  var identifyKind: IdentifyKind {
    guard name != .groupIdentify, groupOperations == nil else { return .group }
    guard let operations = userOperations else { return .ordinary }
    let kind = IdentifyKind(operations, hasGroups: !groups.isEmpty)
    guard case .setsOnly(let properties) = kind else { return kind }
    // What is no number is left out where it is written, and must not hide an earlier value here.
    return name == .identify && properties.allSatisfy(\.value.isFinite) ? kind : .ordinary
  }

  /// Whose the event is.
  var owner: IdentifyCoalescer<Event>.Owner {
    .init(userID: userID, deviceID: deviceID)
  }
}

extension PropertyValue {
  fileprivate var isFinite: Bool {
    if case .double(let number) = self { number.isFinite } else { true }
  }
}

extension IdentifyCoalescer.Merged where Envelope == Event {
  /// The one event they became; its callback is remembered elsewhere.
  var event: Event {
    var event = first
    event.onResult = nil
    guard !others.isEmpty else { return event }
    event.userOperations = IdentifyOperations(setting: properties)
    return event
  }
}
