/// A value that callers set and the engine's thread may change as well.
///
/// A caller reads what was set last until the thread has heard of that; then what the thread shows.
struct SaidValue<Value: Sendable>: Sendable {
  private var said: Value?
  private var saidCount = 0
  private var heardCount = 0
  private var shown: Value
  private var isShown: Bool

  /// A value that stands in until the thread shows one, or one that `isShown` already.
  init(_ shown: Value, isShown: Bool = false) {
    self.shown = shown
    self.isShown = isShown
  }

  /// A caller set the value; nil if what the caller did leaves it to the thread.
  mutating func say(_ value: Value?) {
    if saidCount <= heardCount { said = nil }
    said = value ?? said
    saidCount += 1
  }

  /// A caller did something after which only the thread knows the value.
  mutating func unsay() {
    said = nil
    saidCount += 1
  }

  /// The thread has heard of so many settings, and this is the value now.
  mutating func show(_ value: Value, heard: Int) {
    shown = value
    isShown = true
    heardCount = heard
  }

  /// What was said and not heard; nil if everything was heard.
  var pending: Value? { saidCount > heardCount ? said : nil }

  /// The value, if it is known: to be said again in a forked child.
  var known: Value? { saidCount > heardCount ? said : (isShown ? shown : nil) }

  /// The value as a caller is to see it.
  var current: Value { pending ?? shown }
}
