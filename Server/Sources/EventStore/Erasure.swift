public import EventRecord

/// What is to be erased, and goes on being erased wherever it turns up again.
///
/// An event is concerned when it meets every condition that is given and happened, by corrected time, or
/// was received before the erasure was asked for: a client's clock may be ahead, and what a person does
/// afterwards is new. People and devices are numbers (see `PersonNumber`), so that a list of erasures names nobody.
public struct Erasure: Sendable, Hashable, Codable {
  /// A device's time without a user that belonged to the erased user.
  public struct Span: Sendable, Hashable, Codable {
    /// The device's number, for test events that of `PersonNumber.inTests`.
    public var device: Int64
    /// From when on, in milliseconds since 1970.
    public var fromMs: Int64
    /// Up to when, this moment excluded.
    public var toMs: Int64

    /// A span from its parts.
    public init(device: Int64, fromMs: Int64, toMs: Int64) {
      self.device = device
      self.fromMs = fromMs
      self.toMs = toMs
    }
  }

  /// Random, so that no other erasure has it, in whatever copy of the data.
  public var id: Int64
  /// The project's number.
  public var project: UInt32
  /// When it was asked for, in milliseconds since 1970.
  public var askedAtMs: Int64
  /// The last time that was believed when it was asked for, in milliseconds since 1970, if the clock had leapt
  /// ahead of that; see `believed(nowMs:)`.
  public var doubtedSinceMs: Int64?
  /// Only events of this user, those without a user on their devices included.
  public var user: Int64?
  /// Only events of this device.
  public var device: Int64?
  /// Only events of this name.
  public var name: String?
  /// Only events from this moment on, in milliseconds since 1970.
  public var fromMs: Int64?
  /// Only events before this moment, in milliseconds since 1970.
  public var toMs: Int64?
  /// When which devices were the user's; known once a store was asked.
  public var spans: [Span] = []

  /// An erasure without a condition: all events of a project.
  public init(id: Int64, project: UInt32, askedAtMs: Int64) {
    self.id = id
    self.project = project
    self.askedAtMs = askedAtMs
  }

  /// The same as if the clock had been right; nil where it is right as it stands.
  ///
  /// What was asked for under a clock that is days ahead would keep out what people do until those days have
  /// come. Once the clock is set back it counts as asked for by then. A clock that is only behind changes
  /// nothing.
  ///
  /// - Parameter nowMs: what the clock shows, in milliseconds since 1970.
  /// - Returns: It, asked for at the time that is right now.
  public func believed(nowMs: Int64) -> Erasure? {
    guard let doubtedSinceMs else { return nil }
    let latest = max(nowMs, doubtedSinceMs)
    guard askedAtMs > latest else { return nil }
    var believed = self
    believed.askedAtMs = latest
    believed.doubtedSinceMs = nil
    return believed
  }

  /// Whether it concerns all that is kept of a person, not only some of their events.
  public var isWholePerson: Bool {
    (user != nil || device != nil) && name == nil && fromMs == nil && toMs == nil
  }

  /// What has to be known of an event to tell whether it is concerned.
  public struct Facts {
    var project: UInt32
    var name: UnsafeRawBufferPointer
    var user: Int64?
    var device: Int64?
    /// The device's number in spans, which is another one for test events.
    var place: Int64?
    var correctedMs: Int64
    var receivedMs: Int64

    /// The facts of an event in a record.
    public init(_ event: EventView, header: RecordHeader) {
      project = header.project
      name = event.name
      let times = EventTimes(event, header: header)
      (correctedMs, receivedMs) = (times.correctedMs, times.receivedMs)
      if !event.userID.isEmpty { user = PersonNumber.user(project: project, id: event.userID) }
      if !event.deviceID.isEmpty {
        let device = PersonNumber.device(project: project, id: event.deviceID)
        self.device = device
        place = event.flags.contains(.test) ? PersonNumber.inTests(device) : device
      }
    }
  }

  /// Whether an event is concerned.
  public func concerns(_ event: Facts) -> Bool {
    guard event.project == project, min(event.correctedMs, event.receivedMs) < askedAtMs,
      event.correctedMs >= fromMs ?? .min, event.correctedMs < toMs ?? .max
    else { return false }
    if let name, !event.name.elementsEqual(name.utf8) { return false }
    if let device, event.device != device { return false }
    guard let user, event.user != user else { return true }
    return event.user == nil
      && spans.contains {
        $0.device == event.place && $0.fromMs <= event.correctedMs && event.correctedMs < $0.toMs
      }
  }
}

/// All erasures, ready to be asked for every event that arrives.
public struct EraseList: Sendable {
  private var byNumber: [Int64: [Erasure]] = [:]
  private var others: [Erasure] = []
  /// Whether one was asked for under a clock that had leapt ahead.
  public private(set) var hasDoubts = false

  /// A list of erasures.
  public init(_ erasures: [Erasure] = []) {
    hasDoubts = erasures.contains { $0.doubtedSinceMs != nil }
    for erasure in erasures {
      if let user = erasure.user {
        byNumber[user, default: []].append(erasure)
        for device in Set(erasure.spans.map(\.device)) {
          byNumber[device, default: []].append(erasure)
        }
      } else if let device = erasure.device {
        byNumber[device, default: []].append(erasure)
      } else {
        others.append(erasure)
      }
    }
  }

  /// Whether nothing is erased.
  public var isEmpty: Bool { byNumber.isEmpty && others.isEmpty }

  /// Whether an event must not be stored.
  public func concerns(_ event: Erasure.Facts) -> Bool {
    for number in [event.user, event.device, event.place] {
      if let number, byNumber[number]?.contains(where: { $0.concerns(event) }) == true {
        return true
      }
    }
    return others.contains { $0.concerns(event) }
  }
}
