import Dispatch
import Foundation
import FootfallSystem

/// Calls back when the process is asked to end, by Ctrl-C or by a supervisor.
final class TerminationSignals {
  /// A signal that comes so soon after the first is the same wish, in seconds.
  ///
  /// A terminal and a supervisor may both pass on one Ctrl-C.
  static let echoSeconds = 2.0

  private let sources: [any DispatchSourceSignal]

  /// Takes SIGINT and SIGTERM from now on; they do not end the process by themselves any more.
  ///
  /// - Parameter body: Told whether it is the first signal; called on a thread of Dispatch's.
  init(_ body: @escaping @Sendable (_ isFirst: Bool) -> Void) {
    let first = Lock<MonotonicTime?>(nil)
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let now = MonotonicTime.now()
        let isFirst: Bool? = first.withLock { first in
          guard let earlier = first else {
            first = now
            return true
          }
          return now.seconds(since: earlier) > Self.echoSeconds ? false : nil
        }
        if let isFirst { body(isFirst) }
      }
      source.resume()
      return source
    }
  }
}
