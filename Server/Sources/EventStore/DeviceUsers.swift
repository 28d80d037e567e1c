/// Who was signed in on a device, and from when on.
///
/// A value. Users are numbers (see `PersonNumber`); what counts is the order of their sightings, never
/// the order in which these arrive. Only the sightings at which the user changes are kept, so a late
/// one in between may need the others of its time again: `add` then says from when on.
public struct DeviceUsers: Sendable, Hashable {
  /// An event that names both the device and a user.
  public struct Sighting: Sendable, Hashable, Comparable {
    /// The event's corrected time, in milliseconds since 1970.
    public var atMs: Int64
    /// The client's counter.
    public var sequence: Int64
    /// The user's number.
    public var user: Int64

    /// A sighting from its parts.
    public init(atMs: Int64, sequence: Int64, user: Int64) {
      self.atMs = atMs
      self.sequence = sequence
      self.user = user
    }

    /// Earlier first; by the client's counter within a millisecond.
    public static func < (a: Self, b: Self) -> Bool {
      (a.atMs, a.sequence, a.user) < (b.atMs, b.sequence, b.user)
    }
  }

  /// Some sightings of one device, of which only the ends are kept.
  public struct Stretch: Sendable, Hashable {
    /// The earliest.
    public private(set) var first: Sighting
    /// The latest.
    public private(set) var last: Sighting
    /// Whether they are of several users.
    public private(set) var isMixed = false

    /// A stretch of one sighting.
    public init(_ sighting: Sighting) {
      first = sighting
      last = sighting
    }

    /// Adds a sighting, in any order.
    public mutating func add(_ sighting: Sighting) {
      if sighting.user != first.user { isMixed = true }
      first = min(first, sighting)
      last = max(last, sighting)
    }
  }

  /// The sightings at which the user changes, the earliest first; empty for a shared device.
  public private(set) var runs: [Sighting] = []
  /// Whether the user changed so often that the device is nobody's.
  public private(set) var isShared = false

  /// How often the user may change before a device counts as shared: a till, a test script.
  ///
  /// What happens on a shared device without a user is the device's own.
  public static let maxChanges = 256

  /// A device on which no user has been seen.
  public init() {}

  /// A device as it was kept.
  public init(runs: [Sighting], isShared: Bool) {
    self.runs = runs
    self.isShared = isShared
  }

  /// Whether a sighting changes nothing.
  public func knows(_ sighting: Sighting) -> Bool {
    isShared || run(at: sighting).map { runs[$0].user == sighting.user } ?? false
  }

  /// Takes sightings, all of them newly arrived.
  ///
  /// - Returns: nil when they are taken; else the moment from which on all sightings of the device
  ///   are needed, see `take`.
  public mutating func add(_ seen: Stretch) -> Int64? {
    guard !isShared else { return nil }
    guard !seen.isMixed else { return seen.first.atMs }
    guard let start = runs.first else {
      runs = [seen.first]
      return nil
    }
    switch (run(at: seen.first), run(at: seen.last)) {
    case (nil, nil) where start.user != seen.first.user:
      runs.insert(seen.first, at: 0)
      limit()
    case (nil, nil):
      runs[0] = seen.first
    case (nil, 0) where start.user == seen.first.user:
      runs[0] = seen.first
    case (let first?, let last?) where first == last && runs[first].user == seen.first.user:
      break
    default:
      return seen.first.atMs
    }
    return nil
  }

  /// Takes all sightings from a moment on that are stored.
  ///
  /// What it knows of that time stays: events of which it knows may be kept no more.
  ///
  /// - Parameters:
  ///   - fromMs: the moment.
  ///   - sightings: of those of one user in a row the first is enough.
  public mutating func take(fromMs: Int64, _ sightings: [Sighting]) {
    guard !isShared else { return }
    let known = runs.filter { $0.atMs >= fromMs }
    runs.removeAll { $0.atMs >= fromMs }
    for sighting in (known + sightings.filter { $0.atMs >= fromMs }).sorted()
    where sighting.user != runs.last?.user {
      runs.append(sighting)
    }
    limit()
  }

  /// Whose an event without a user is; nil for the device's own.
  ///
  /// The user seen last before it or in its millisecond; before the first one, that one.
  public func user(atMs: Int64) -> Int64? {
    (runs.last { $0.atMs <= atMs } ?? runs.first)?.user
  }

  /// The last run that begins at or before a sighting.
  private func run(at sighting: Sighting) -> Int? {
    runs.lastIndex { $0 <= sighting }
  }

  private mutating func limit() {
    guard runs.count > Self.maxChanges else { return }
    runs = []
    isShared = true
  }
}
