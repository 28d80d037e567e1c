import CDuckDB
import EventRecord
import EventStore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Sums a batch's events to rows for the tables `activity_parts` and `session_parts`, see `ActivityParts`.
///
/// Events of one request are mostly of one person and one session, so a row is made of what follows one
/// another; what belongs together is brought together by whoever asks. One thread at a time.
final class PartIndex {
  /// Rows for `activity_parts`.
  private(set) var activity: [[SQLValue]] = []
  /// Rows for `session_parts`.
  private(set) var sessions: [[SQLValue]] = []
  private var stretch: Stretch?
  private var session: Session?

  /// Whose events are summed.
  private struct Holder: Equatable {
    var project: UInt32
    var person: Int64
    var isTest: Bool

    var values: [SQLValue] {
      [.integer(Int64(project)), .integer(person), .boolean(isTest)]
    }
  }

  /// Events of one person in one quarter of an hour.
  private struct Stretch {
    var holder: Holder
    var quarter: Int64
    var firstMs: Int64
    var lastMs: Int64
  }

  /// Events of one session.
  private struct Session {
    var holder: Holder
    var id: String
    var begunMs: Int64
    var finishedMs: Int64
    var openedMs: Int64?
    var firstMs: Int64
    var lastMs: Int64
    var engagedMs: Double?
    var hasCrashed = false
    var wasInFront: Bool?

    /// Reads what the properties of one of its events tell of it.
    mutating func read(_ properties: UnsafeRawBufferPointer) {
      if let state = properties.member(SessionVocabulary.state), state != .null {
        wasInFront = (wasInFront ?? false) || state != .text(SessionVocabulary.background)
      }
      if let engaged = properties.member(SessionVocabulary.engaged)?.double, engaged >= 0,
        engaged <= Double(SessionVocabulary.longestEngagedMs)
      {
        engagedMs = (engagedMs ?? 0) + engaged
      }
    }
  }

  /// Takes note of a new event.
  func note(_ event: EventView, times: EventTimes, project: UInt32, person: Int64?) {
    guard event.kind == .event, let person else { return }
    let holder = Holder(
      project: project,
      person: person,
      isTest: event.flags.contains(.test)
    )
    let atMs = times.correctedMs
    let quarter = ActivityParts.quarter(of: atMs)
    if let last = stretch, last.holder == holder, last.quarter == quarter {
      stretch?.firstMs = min(last.firstMs, atMs)
      stretch?.lastMs = max(last.lastMs, atMs)
    } else {
      endStretch()
      stretch = Stretch(holder: holder, quarter: quarter, firstMs: atMs, lastMs: atMs)
    }
    if !event.sessionID.isEmpty { noteSession(event, times: times, holder: holder) }
  }

  private func noteSession(_ event: EventView, times: EventTimes, holder: Holder) {
    let ownMs = times.ownMs
    if session?.holder != holder || session.map({ event.sessionID.isText($0.id) }) != true {
      endSession()
      session = Session(
        holder: holder,
        id: String(decoding: event.sessionID, as: UTF8.self),
        begunMs: ownMs,
        finishedMs: ownMs,
        firstMs: times.correctedMs,
        lastMs: times.correctedMs
      )
    }
    guard var now = session else { return }
    session = nil
    now.begunMs = min(now.begunMs, ownMs)
    now.finishedMs = max(now.finishedMs, ownMs)
    now.firstMs = min(now.firstMs, times.correctedMs)
    now.lastMs = max(now.lastMs, times.correctedMs)
    if SessionVocabulary.startNames.contains(where: { event.name.isText($0) }) {
      now.openedMs = min(now.openedMs ?? ownMs, ownMs)
    }
    if event.name.isText(SessionVocabulary.crashName) { now.hasCrashed = true }
    if event.properties.mayTellOfSession { now.read(event.properties) }
    session = now
  }

  /// Ends the rows under way; all of the batch's are there then.
  func finish() {
    endStretch()
    endSession()
  }

  /// Ends a batch that was stored.
  func endBatch() {
    activity.removeAll(keepingCapacity: true)
    sessions.removeAll(keepingCapacity: true)
  }

  private func endStretch() {
    guard let ended = stretch else { return }
    stretch = nil
    activity.append(ended.holder.values + [.time(ended.firstMs), .time(ended.lastMs)])
  }

  private func endSession() {
    guard let ended = session else { return }
    session = nil
    sessions.append(
      ended.holder.values + [
        .text(ended.id), .time(ended.begunMs), .time(ended.finishedMs),
        ended.openedMs.map { .time($0) } ?? .null, .time(ended.firstMs), .time(ended.lastMs),
        ended.engagedMs.map { .double($0) } ?? .null, .boolean(ended.hasCrashed),
        ended.wasInFront.map { .boolean($0) } ?? .null,
      ]
    )
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are those of a text.
  fileprivate func isText(_ text: String) -> Bool {
    count == text.utf8.count && elementsEqual(text.utf8)
  }

  /// False only if a JSON object tells nothing of a session; it is asked of every event.
  ///
  /// Neither name that does so stands in most objects, in whatever place; a name may be written with escapes.
  /// Both have an underscore.
  fileprivate var mayTellOfSession: Bool {
    guard let start = baseAddress, count > SessionVocabulary.state.utf8.count else { return false }
    if memchr(start, Int32(UInt8(ascii: "\\")), count) != nil { return true }
    var place = 0
    while let found = memchr(start + place, Int32(UInt8(ascii: "_")), count - place) {
      let at = start.distance(to: UnsafeRawPointer(found))
      if holds("app_", before: at + 1) || holds("engaged_", before: at + 1) { return true }
      place = at + 1
    }
    return false
  }

  private func holds(_ text: StaticString, before end: Int) -> Bool {
    let start = end - text.utf8CodeUnitCount
    guard start >= 0, let base = baseAddress else { return false }
    return memcmp(base + start, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// The value of a member of a JSON object.
  fileprivate func member(_ name: String) -> PropertyValue? {
    var name = name
    let found = name.withUTF8 { MemberScan.value(of: UnsafeRawBufferPointer($0), in: self) }
    return found.flatMap { place in
      PropertyValue.members(of: "{\"it\":" + String(decoding: self[place], as: UTF8.self) + "}")?[
        "it"
      ]
    }
  }
}
