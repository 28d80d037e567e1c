/// How long events wait in memory for more, to be written together.
struct Gathering: Sendable, Equatable {
  /// The longest one waits, in seconds; 0 for not at all.
  let seconds: Double

  /// How long the thread may sleep, in seconds, before it takes what waits.
  ///
  /// What waits already (`isSomethingWaiting`) may have come right behind what was taken last, that long
  /// ago: of a step that a disk held up it has waited for most.
  func rest(isSomethingWaiting: Bool, takenSecondsAgo: Double) -> Double {
    isSomethingWaiting ? max(0, seconds - max(0, takenSecondsAgo)) : seconds
  }
}
