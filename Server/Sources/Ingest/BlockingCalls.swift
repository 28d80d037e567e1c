internal import FootfallSystem

/// One thread for the few calls of a route that wait for a disk, while its others never do.
///
/// The thread begins with the first call and ends when nobody holds this any more.
final class BlockingCalls: Sendable {
  private struct Queue {
    var calls: [@Sendable () -> Void] = []
    var isStarted = false
    var isStopped = false
  }

  private static let maxWaiting = 64

  private let queue = Monitor(Queue())
  private let thread = Lock<SystemThread?>(nil)

  // The last call may let go of this on its own thread: no joining here.
  deinit { queue.change { $0.isStopped = true } }

  /// Queues a call; false if too many wait, or there is no thread for it.
  func run(_ call: @escaping @Sendable () -> Void) -> Bool {
    let isFirst = queue.change { queue -> Bool? in
      guard queue.calls.count < Self.maxWaiting else { return nil }
      queue.calls.append(call)
      defer { queue.isStarted = true }
      return !queue.isStarted
    }
    guard let isFirst else { return false }
    return !isFirst || start()
  }

  private func start() -> Bool {
    let queue = queue
    do throws(SystemError) {
      let started = try SystemThread(name: "ff-stream-reader") {
        while let call = Self.next(queue) { call() }
      }
      thread.withLock { $0 = started }
      return true
    } catch {
      queue.change { queue in
        queue.calls.removeAll()
        queue.isStarted = false
      }
      return false
    }
  }

  private static func next(_ queue: Monitor<Queue>) -> (@Sendable () -> Void)? {
    queue.wait { queue -> (@Sendable () -> Void)?? in
      if !queue.calls.isEmpty { return .some(queue.calls.removeFirst()) }
      return queue.isStopped ? .some(nil) : .none
    }
  }
}
