import FootfallSystem

/// Decides whether whoever waits for a job of another process' server waits on.
///
/// A process that is not seen is no proof that the server ended: it may live in a container, or be one that was
/// started again and goes on with the job. Its beats are looked at, too.
struct JobWait {
  /// Seconds of silence after which it is given up.
  struct Patience {
    /// Where its process is not there; 5, more than two beats.
    var withoutProcess = 5.0
    /// Where its process is there, or not known; 60, since a disk may be busy.
    var withProcess = 60.0
  }

  enum Verdict: Equatable {
    case wait
    /// Its process is gone, and nothing beats.
    case ended
    /// It has not beaten for that many seconds.
    case silent(seconds: Int)
  }

  private let patience: Patience
  private var pulse: Int64?
  private var heardAt: MonotonicTime?

  init(_ patience: Patience = Patience()) { self.patience = patience }

  /// Looks once.
  ///
  /// - Parameters:
  ///   - isProcessThere: nil where its number is not known.
  ///   - pulse: the last beat; nil where there never was one, as of earlier versions.
  ///   - now: when, by a clock that stands still while the machine sleeps.
  /// - Returns: what whoever waits does.
  mutating func look(isProcessThere: Bool?, pulse: Int64?, at now: MonotonicTime) -> Verdict {
    if heardAt == nil || pulse != self.pulse {
      self.pulse = pulse
      heardAt = now
    }
    let silence = heardAt.map { now.seconds(since: $0) } ?? 0
    if isProcessThere == false { return silence >= patience.withoutProcess ? .ended : .wait }
    // One that has never beaten may be of a version that does not.
    guard pulse != nil, silence >= patience.withProcess else { return .wait }
    return .silent(seconds: Int(silence))
  }
}
