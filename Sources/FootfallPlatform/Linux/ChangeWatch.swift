#if os(Linux)
import FootfallSystem
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A thread that sleeps until a socket says something, then reads a value and tells its changes.
///
/// The thread owns the descriptors and closes them when it ends. A fork does not copy the thread, so
/// a watch that was started before one only closes what the child was given.
final class ChangeWatch: Sendable {
  /// Notices come in bursts: after a reading the next one is put off for so long, in milliseconds.
  static let quietMilliseconds: Int32 = 1_000

  private let stopper: Int32
  private let loop: Loop

  /// Starts the thread; nil, with the socket closed, if the system has no pipe or thread to give.
  init?(
    socket: Int32,
    read: @escaping @Sendable () -> Bool?,
    observer: @escaping @Sendable (Bool?) -> Void
  ) {
    var pipe: [Int32] = [-1, -1]
    guard makePipe(&pipe) == 0 else {
      close(socket)
      return nil
    }
    for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stopper = pipe[1]
    loop = Loop(socket: socket, stop: pipe[0], read: read, observer: observer)
    do throws(SystemError) {
      _ = try SystemThread(atWork: "footfall-net") { [loop] in loop.run() }
    } catch {
      loop.closeAll()
      close(stopper)
      return nil
    }
  }

  /// Ends the thread soon; called once.
  func stop() {
    if loop.generation == ForkWatch.generation {
      // Closing alone would not wake it while a child of this process holds a copy.
      var byte: UInt8 = 1
      _ = write(stopper, &byte, 1)
    } else {
      loop.closeAll()
    }
    close(stopper)
  }

  /// What runs on the thread.
  private struct Loop: Sendable {
    let socket: Int32
    let stop: Int32
    let read: @Sendable () -> Bool?
    let observer: @Sendable (Bool?) -> Void
    let generation = ForkWatch.generation

    func run() {
      defer { closeAll() }
      var told = read()
      observer(told)
      while wait(for: [socket, stop], milliseconds: -1) {
        drain()
        let present = read()
        if present != told { observer(present) }
        told = present
        // The end of the pipe ends this wait too; whatever the socket says meanwhile stays in it.
        guard wait(for: [stop], milliseconds: ChangeWatch.quietMilliseconds) else { return }
      }
    }

    func closeAll() {
      close(socket)
      close(stop)
    }

    /// Waits for the descriptors, of which the last one is the stop; false if it is to stop.
    private func wait(for descriptors: [Int32], milliseconds: Int32) -> Bool {
      var waits = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      while ForkGate.rest({ poll(&waits, nfds_t(waits.count), milliseconds) }) < 0 {
        guard errno == EINTR else { return false }
      }
      guard waits.last?.revents == 0 else { return false }
      // A socket that is broken would wake this thread for ever.
      return waits.allSatisfy { $0.revents & Int16(POLLNVAL | POLLHUP) == 0 }
    }

    /// Throws away what the socket has: that something changed is all that is asked.
    private func drain() {
      let size = 16 << 10
      withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
        while recv(socket, buffer.baseAddress, size, Int32(MSG_DONTWAIT)) > 0 {}
      }
    }
  }
}

// The array above has the name of this call.
private func makePipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }
#endif
