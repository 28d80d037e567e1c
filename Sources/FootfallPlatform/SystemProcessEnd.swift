#if os(Linux) || os(macOS)
import FootfallSystem
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The end of this process, by `exit` or by a signal.
///
/// All clients of the process share one registry, one `atexit` hook and one pair of signal handlers.
/// A forked child begins with an empty one: what its parent registered is the parent's.
package struct SystemProcessEnd: ProcessEnd {
  private let log: Logger

  /// A view of the process's registry; says in this log what signals it could not have.
  package init(log: Logger) { self.log = log }

  /// Registers a closure; see `ProcessEnd`.
  package func register(
    for ways: ProcessEndWays,
    limitSeconds: Double,
    _ body: @escaping @Sendable () -> Void
  ) -> ProcessEndRegistration {
    let number = EndRegistry.add(EndRegistry.Entry(ways, limitSeconds, body))
    if ways.contains(.signals) { EndSignals.shared.use(log) }
    return ProcessEndRegistration {
      guard let entry = EndRegistry.remove(number) else { return }
      if entry.ways.contains(.signals) { EndSignals.shared.stopUsing() }
    }
  }
}

/// What runs at the end of the process.
enum EndRegistry {
  /// One client's closure.
  struct Entry: Sendable {
    let ways: ProcessEndWays
    let limitSeconds: Double
    let body: @Sendable () -> Void

    init(_ ways: ProcessEndWays, _ limitSeconds: Double, _ body: @escaping @Sendable () -> Void) {
      self.ways = ways
      self.limitSeconds = limitSeconds.isFinite ? min(max(limitSeconds, 0), 60) : 0
      self.body = body
    }
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var last = 0
  }

  private static let state: Lock<State> = {
    let state = Lock(State())
    _ = ForkWatch.register(
      ForkWatch.Handlers(
        prepare: { state.holdForFork() },
        parent: { state.releaseInParent() },
        child: {
          state.renewInChild()
          state.withLock { $0.entries = [:] }
        }
      )
    )
    atexit { EndRegistry.run(.exit) }
    // Made before any fork: a child may find the runtime's locks held by a thread it does not have.
    _ = state.withLock { take(.exit, from: &$0) }
    return state
  }()

  static func add(_ entry: Entry) -> Int {
    state.withLock { state in
      state.last += 1
      state.entries[state.last] = entry
      return state.last
    }
  }

  static func remove(_ number: Int) -> Entry? {
    state.withLock { $0.entries.removeValue(forKey: number) }
  }

  /// Takes out the closures for one way, in the order in which they came.
  private static func take(_ way: ProcessEndWays, from state: inout State) -> [Entry] {
    let due = state.entries.filter { $0.value.ways.contains(way) }
    due.keys.forEach { state.entries[$0] = nil }
    return due.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Runs the closures for one way, each once and never again, and waits for them or their limits.
  static func run(_ way: ProcessEndWays) {
    let due = state.withLock { take(way, from: &$0) }
    guard let limit = due.map(\.limitSeconds).max() else { return }
    let left = Monitor(due.count)
    for entry in due {
      do throws(SystemError) {
        _ = try SystemThread(name: "footfall-end") {
          entry.body()
          left.change { $0 -= 1 }
        }
      } catch {
        // Without a thread the closure cannot be held to its limit, and what waits is on disk.
        left.change { $0 -= 1 }
      }
    }
    _ = left.wait(timeoutSeconds: limit) { $0 == 0 ? true : nil }
  }
}
#endif
