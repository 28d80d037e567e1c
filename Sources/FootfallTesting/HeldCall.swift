import FootfallSystem

/// Something that holds its caller, on a thread of its own.
package final class HeldCall: Sendable {
  private let returnedAt = Monitor<Double?>(nil)

  /// Begins the call; notes the time by a clock when it returns.
  package init(by clock: ManualClock, _ body: @escaping @Sendable () -> Void) throws {
    _ = try SystemThread(name: "held") { [returnedAt] in
      body()
      returnedAt.change { $0 = clock.seconds }
    }
  }

  /// When it returned, in seconds of the clock that only goes forward; nil while it is held.
  package var returned: Double? { returnedAt.withLock { $0 } }

  /// Waits until it has returned, and tells when that was.
  package func end() async -> Double {
    await withCheckedContinuation { continuation in
      do {
        _ = try SystemThread(name: "held-end") { [returnedAt] in
          continuation.resume(returning: returnedAt.wait { $0 })
        }
      } catch {
        continuation.resume(returning: -1)
      }
    }
  }
}

extension ManualClock {
  /// Seconds on the clock that only goes forward.
  package var seconds: Double { Double(monotonic.nanoseconds) / 1e9 }
}
