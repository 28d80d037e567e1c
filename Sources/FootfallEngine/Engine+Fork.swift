import FootfallOutbox
import FootfallPlatform
import FootfallSystem

// A forked child has the client and what waits in it, but not its thread. It leaves both to the
// parent, does nothing until its first call, and then works in a folder of its own.
extension Engine {
  /// Holds everything callers touch over each fork, so that a child gets it whole.
  func watchForks() -> ForkWatch.Registration {
    // Not the engine itself: it ends when nobody refers to it any more.
    let (started, end, listeners, inbox) = (started, endRegistration, listeners, inbox)
    let (board, remote, waits) = (board, remote, waits)
    Inherited<Started?>.prepare(nil)
    Inherited<[HeldOutbox]>.prepare([])
    Inherited<Environment?>.prepare(nil)
    remote.prepareForForks()
    return ForkWatch.register(
      ForkWatch.Handlers(
        prepare: {
          // First what is held while others are taken.
          started.holdForFork()
          end.holdForFork()
          listeners.holdForFork()
          inbox.holdForFork()
          board.holdForFork()
          remote.holdForFork()
          waits.holdForFork()
        },
        parent: {
          waits.releaseInParent()
          remote.releaseInParent()
          board.releaseInParent()
          inbox.releaseInParent()
          listeners.releaseInParent()
          end.releaseInParent()
          started.releaseInParent()
        },
        child: {
          started.renewInChild()
          end.renewInChild()
          listeners.renewInChild()
          inbox.renewInChild()
          board.renewInChild()
          remote.renewInChild()
          waits.renewInChild()
        }
      )
    )
  }

  /// The first call in a forked child: makes a thread, with a world and a folder of its own.
  func restart() {
    let inheritance = board.inheritance
    for case .identity(let input) in inheritance { board.say(input) }
    inbox.begin(with: inheritance, at: clocks.moment)
    let (end, isWithoutThread): (ProcessEndWatch?, Bool) = started.withLock { started in
      guard let parents = started else { return (nil, false) }
      // Its thread is not there; giving it back would be about the parent's.
      Inherited.keep(Optional(parents))
      board.leaveFoldersToParent()
      let thread = startThread(parents.setup)
      started = Started(thread: thread, setup: parents.setup, end: parents.end)
      return (parents.end, thread == nil)
    }
    if isWithoutThread { finishWithoutThread() }
    watchEnd(end)
    if board.isOffline { setOffline(true) }
  }
}

/// An open outbox, kept for the day the process is forked.
///
/// Safety: used only by the engine's thread, or in a child where that thread is not.
struct HeldOutbox: @unchecked Sendable {
  let outbox: Outbox
}

extension Board {
  /// In a child: lets go of the parent's folders; the outboxes stay, as nobody may touch them.
  func leaveFoldersToParent() {
    let outboxes = takeOutboxes()
    for held in outboxes { held.outbox.leaveToParent() }
    Inherited.keep(outboxes)
  }
}
