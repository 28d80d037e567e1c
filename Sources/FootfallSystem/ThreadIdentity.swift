#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Which thread something runs on; another thread may have the same after this one has ended.
package struct ThreadIdentity: Sendable, Hashable {
  private let handle: UInt

  /// The calling thread.
  package static var current: ThreadIdentity {
    #if canImport(Glibc)
    ThreadIdentity(handle: UInt(pthread_self()))
    #else
    ThreadIdentity(handle: UInt(bitPattern: pthread_self()))
    #endif
  }
}
