/// The events of one person that matter to a funnel, and how fast they lead through its steps.
///
/// Plain memory: it lies in what DuckDB gives an aggregate for each group, all zeros at first.
struct FunnelFold {
  /// One event.
  struct Entry {
    /// When, in milliseconds since 1970, above twelve bits: which steps it is, by bit; `enters` and `ends`
    /// beside them.
    var momentAndMask: Int64
    /// The client's counter, or the place among all of the person's events.
    var sequence: Int64

    init(moment: Int64, sequence: Int64, mask: Int64) {
      momentAndMask = moment << 12 | mask
      self.sequence = sequence
    }

    var moment: Int64 { momentAndMask >> 12 }
    var mask: Int64 { momentAndMask & 0xFFF }

    /// The order of events, as far as these two tell it.
    static func < (a: Entry, b: Entry) -> Bool {
      a.moment != b.moment ? a.moment < b.moment : a.sequence < b.sequence
    }
  }

  /// The bit of an event with which someone may enter.
  static let enters: Int64 = 1 << 10
  /// The bit of an event that ends a way between two steps.
  static let ends: Int64 = 1 << 11
  /// How many steps there may be.
  static let maxSteps = 10

  /// What a funnel wants, as one number: the window in milliseconds above eight bits, of which the lower
  /// four are the number of steps, then whether the window is from step to step, then whether steps
  /// follow one another directly.
  ///
  /// It comes with each event, above the twelve bits of its mask.
  struct Plan {
    let steps: Int
    let window: Int64
    let isFromStep: Bool
    let isStrict: Bool

    init(_ number: Int64) {
      steps = min(Int(number & 15), FunnelFold.maxSteps)
      isFromStep = number & 16 != 0
      isStrict = number & 32 != 0
      window = number >> 8
    }
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var count: Int32
  private var capacity: Int32
  private var plan: Int64
  private var isUnsorted: Bool

  /// Nothing yet.
  init() {
    entries = nil
    count = 0
    capacity = 0
    plan = 0
    isUnsorted = false
  }

  /// Takes an event.
  mutating func add(_ entry: Entry, plan: Int64) {
    self.plan = plan
    reserve(count + 1)
    guard let entries else { return }
    if count > 0, entry < entries[Int(count) - 1] { isUnsorted = true }
    entries[Int(count)] = entry
    count += 1
  }

  /// Takes the events of another one, which has none from then on.
  mutating func take(from other: inout FunnelFold) {
    guard other.count > 0, let theirs = other.entries else { return }
    guard count > 0 else {
      swap(&self, &other)
      return
    }
    plan = other.plan
    reserve(count + other.count)
    guard let entries else { return }
    if other.isUnsorted || count > 0 && theirs[0] < entries[Int(count) - 1] { isUnsorted = true }
    (entries + Int(count)).initialize(from: theirs, count: Int(other.count))
    count += other.count
    other.free()
  }

  private mutating func reserve(_ wanted: Int32) {
    guard wanted > capacity else { return }
    let larger = max(8, wanted, capacity &* 2)
    let new = UnsafeMutablePointer<Entry>.allocate(capacity: Int(larger))
    if let entries {
      new.moveInitialize(from: entries, count: Int(count))
      entries.deallocate()
    }
    entries = new
    capacity = larger
  }

  /// Gives the memory back.
  mutating func free() {
    entries?.deallocate()
    self = FunnelFold()
  }

  /// The latest way that came so far: no other one has more time left.
  private struct Way {
    var start: Int64 = 0
    var moment: Int64 = 0
    /// The place of its last event, from 1 on; 0 for no way.
    var place = 0
    /// How many events had ended ways by then, its own last one among them.
    var ended = 0
  }

  /// Writes how long each step reached took at least since the first one, in milliseconds.
  ///
  /// - Returns: how many steps were reached; nil when that hangs on which of two events came first, and
  ///   nothing given here tells it.
  mutating func took(into times: UnsafeMutablePointer<Int64>) -> Int? {
    guard count > 0, let entries else { return 0 }
    var events = UnsafeMutableBufferPointer(start: entries, count: Int(count))
    if isUnsorted {
      events.sort(by: <)
      isUnsorted = false
    }
    for index in events.indices.dropFirst()
    where !(events[index - 1] < events[index]) && events[index - 1].mask != events[index].mask {
      return nil
    }
    let plan = Plan(plan)
    var reached = 0
    var ended = 0
    withUnsafeTemporaryAllocation(of: Way.self, capacity: Self.maxSteps) { ways in
      ways.initialize(repeating: Way())
      for (index, event) in events.enumerated() {
        let before = ended
        if event.mask & Self.ends != 0 { ended += 1 }
        // From the last step down, so that one event is one step.
        var step = min(reached, plan.steps - 1)
        while step > 0 {
          defer { step -= 1 }
          guard event.mask & (1 << Int64(step)) != 0 else { continue }
          let way = ways[step - 1]
          let from = plan.isFromStep ? way.moment : way.start
          guard way.place > 0, event.moment &- from <= plan.window, way.ended == before,
            !plan.isStrict || way.place == index
          else { continue }
          let time = event.moment &- way.start
          if step == reached {
            reached += 1
            times[step] = time
          } else if time < times[step] {
            times[step] = time
          }
          ways[step] = Way(start: way.start, moment: event.moment, place: index + 1, ended: ended)
        }
        if event.mask & 1 != 0, event.mask & Self.enters != 0 {
          if reached == 0 { reached = 1 }
          times[0] = 0
          ways[0] = Way(
            start: event.moment,
            moment: event.moment,
            place: index + 1,
            ended: ended
          )
        }
      }
    }
    return reached
  }
}
