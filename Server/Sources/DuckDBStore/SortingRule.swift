/// When rows are rewritten in the order in which they are asked for, and how many at a time.
///
/// Rows arrive in the hot tier. From there they are moved in pieces into runs: each piece sorted by
/// month, project, person and time. When the runs of a project's month have grown, that month is settled: its
/// rows are rewritten piece by piece, so that all events of a person lie together. A piece is one transaction,
/// and other writing waits for no more than one.
public struct SortingRule: Sendable, Equatable {
  /// Rows of one piece; 245,760, two of DuckDB's row groups, which takes about a second.
  public var pieceRows = 2 * Self.groupRows
  /// From how many hot rows on they are moved while events arrive without a pause; 1,000,000.
  public var maxHotRows = 1_000_000
  /// From how many hot rows on they are moved in a quiet moment; 143,360.
  ///
  /// Fewer than a row group gain nothing.
  public var quietHotRows = Self.groupRows + 20_480
  /// How many of the last arrived rows stay hot in a quiet moment; 20,480.
  ///
  /// What arrived last is asked for by its arrival.
  public var keptRows = 20_480
  /// From how many rows in a month's runs on it is settled; 491,520.
  public var minRunRows = 4 * Self.groupRows
  /// From how many on always, however large the month is; 8,000,000.
  public var maxRunRows = 8_000_000
  /// Below that the part of what is settled that the runs must have come to; a quarter.
  ///
  /// Settling rewrites the whole month, so this is what bounds how often a row is rewritten.
  public var runShare = 0.25
  /// How long after a piece the next one is moved while events arrive now and then, in seconds; 10.
  public var pauseSeconds: Double = 10
  /// Up to how many events of a batch count as now and then; 5,000.
  public var quietBatchEvents = 5_000

  /// The rows of one of DuckDB's row groups.
  static let groupRows = 122_880

  /// The rule as it is used.
  public init() {}

  /// What is to be done next.
  ///
  /// - Parameters:
  ///   - tiers: how many rows lie where.
  ///   - settling: the month that is being settled.
  ///   - moment: what else there is to do.
  /// - Returns: the piece of work; nil for nothing.
  func next(_ tiers: TierCounts, settling: TierCounts.Month?, _ moment: Moment) -> Step? {
    switch moment {
    case .busy:
      return tiers.hot >= maxHotRows ? .move(pieceRows) : nil
    case .quiet:
      if let settling, tiers.hot < maxHotRows { return .settle(settling) }
      let movable = tiers.hot - keptRows
      if tiers.hot >= quietHotRows, movable > 0 { return .move(min(pieceRows, movable)) }
      return grownMonth(tiers).map { .settle($0) }
    case .asked:
      if tiers.hot > 0 { return .move(pieceRows) }
      if let settling { return .settle(settling) }
      return tiers.months.filter { $0.value.runs > 0 }.keys.min().map { .settle($0) }
    }
  }

  /// The month whose runs have grown most beyond what they may be.
  private func grownMonth(_ tiers: TierCounts) -> TierCounts.Month? {
    let grown = tiers.months.filter { _, rows in
      let share = Int(Double(rows.settled) * runShare)
      return rows.runs >= min(max(minRunRows, share), maxRunRows)
    }
    return grown.max { ($0.value.runs, $1.key) < ($1.value.runs, $0.key) }?.key
  }

  /// What else the writer has to do.
  enum Moment: Equatable, Sendable {
    /// Events arrive without a pause.
    case busy
    /// Nothing arrives, or little.
    case quiet
    /// Somebody waits for all to be sorted.
    case asked
  }

  /// One piece of work.
  enum Step: Equatable, Sendable {
    /// Moves the hot rows that arrived first, so many of them.
    case move(Int)
    /// Rewrites the next piece of a month.
    case settle(TierCounts.Month)
  }
}

/// How many rows lie where.
struct TierCounts: Equatable, Sendable {
  /// A project's month.
  struct Month: Hashable, Comparable, Sendable {
    var project: UInt32
    /// Months since the beginning of year 0, by corrected time in UTC.
    var number: Int

    static func < (a: Self, b: Self) -> Bool { (a.number, a.project) < (b.number, b.project) }
  }

  /// The rows of a project's month that are sorted.
  struct Sorted: Equatable, Sendable {
    var runs = 0
    var settled = 0
  }

  var hot = 0
  var months: [Month: Sorted] = [:]
}

/// The tier of a row, as it stands there.
enum Tier: UInt8 {
  /// In the order of arrival.
  case hot = 0
  /// Sorted together with what arrived with it.
  case run = 1
  /// Sorted together with all of its project's month; whatever is nobody's is so from the start.
  case settled = 2
}
