/// A value that callers set and the engine's thread may change as well.
///
/// A caller reads what was set last until the thread has heard of that; then what the thread shows.
struct SaidValue<Value: Sendable>: Sendable {
  private var said: Value?
  private var saidCount = 0
  private var heardCount = 0
  private var shown: Value

  init(_ shown: Value) {
    self.shown = shown
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
    heardCount = heard
  }

  /// What was said and not heard; nil if everything was heard.
  var pending: Value? { saidCount > heardCount ? said : nil }

  /// The value as a caller is to see it.
  var current: Value { pending ?? shown }
}
