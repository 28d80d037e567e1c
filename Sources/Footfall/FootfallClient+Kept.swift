package import FootfallCore
import FootfallEngine

// What faces need that look at what is kept.
extension FootfallClient {
  /// The oldest events kept for the client's own server, at most so many, as its codec stored them.
  package func kept(atMost limit: Int, _ tell: @escaping @Sendable ([[UInt8]]) -> Void) {
    engine.kept(atMost: limit, tell)
  }

  /// Drops every event kept for the client's own server, counted as `DropReason.removed`.
  package func dropKept(_ done: @escaping @Sendable () -> Void) {
    engine.dropKept(done)
  }

  /// Tells when everything tracked before the call is written, and what is due is done.
  package func settle(_ done: @escaping @Sendable () -> Void) {
    engine.settle(done)
  }

  /// Stores and sends everything tracked before the call; returns at once, and tells when that is
  /// over.
  package func flush(_ done: @escaping @Sendable (DeliveryReport) -> Void) {
    engine.flush(done)
  }

  /// The device's id, waited for at most so long while the client has not read it yet.
  package func deviceID(limitSeconds: Double) -> String? {
    engine.deviceID(limitSeconds: limitSeconds)
  }
}
