import FootfallCore
import FootfallOutbox
import FootfallPlatform

/// What a destination knows of the blocks in a keeper.
struct KeptBlocks {
  /// Whether what an earlier run left was looked at.
  fileprivate var isOpen = false
  /// Blocks by number, which grow with their age in the keeper's order.
  fileprivate var numbers: [String: UInt64] = [:]
  fileprivate var newest: UInt64 = 0
  /// Events that were kept in this run and not settled.
  fileprivate(set) var events = 0
  /// The oldest block that can be read.
  fileprivate var oldest: (block: String, number: UInt64, content: SealedBatch)?
  /// Blocks that stay though nothing of them can be read.
  fileprivate var unreadable: Set<String> = []
  /// Whether a flush waits for its block to be closed.
  fileprivate var isFlushed = false

  init(isOpen: Bool = false) {
    self.isOpen = isOpen
  }
}

/// A destination whose events are in a place of the app's own.
extension Destination {
  /// Goes on with what an earlier run left there.
  func openKeeper() {
    guard !blocks.isOpen, !isClosed else { return }
    blocks.isOpen = true
    host?.opened(self)
    feedOldest()
  }

  /// Keeps an event that can be sent.
  func keep(_ event: Event, in keeper: any EventKeeper, bytes: Int) {
    do { try keeper.keep(event) } catch {
      count(.storageFailed)
      if !isStoringFailing {
        environment.log.error("The app's storage does not take events, which are dropped: \(error)")
      }
      isStoringFailing = true
      return end(event, .storageFailed)
    }
    isStoringFailing = false
    if isMain, event.onResult != nil { reporter.expect(event) }
    blocks.events += 1
    for effect in flushPolicy.receive(.stored(events: 1, bytes: bytes), at: now) { perform(effect) }
  }

  /// Sends everything kept so far, as far as one pass gets.
  func flushKeeper(_ kind: UploadCore.FlushKind) {
    blocks.isFlushed = true
    if kind == .last || flushKind == .ordinary { flushKind = kind }
    perform(FlushPolicy.Effect.sealAll)
    continueSealing()
  }

  /// Closes the block if that is due, and asks for the upload.
  func closeBlock(of keeper: any EventKeeper) {
    guard sealing != nil || blocks.isFlushed else { return }
    sealing = nil
    host?.willSeal(self)
    keeper.closeBlock()
    _ = flushPolicy.receive(.sealed(eventsLeft: 0, bytesLeft: 0), at: now)
    let isFlushed = blocks.isFlushed
    let kind = flushKind
    blocks.isFlushed = false
    flushKind = .ordinary
    feedOldest()
    if isFlushed { feed(.flush(through: blocks.newest, kind: kind)) }
  }

  /// The oldest block that can be read, as the upload core knows it.
  func oldestBlock(in keeper: any EventKeeper) -> UploadCore.Batch? {
    let present = keeper.blocks
    blocks.numbers = blocks.numbers.filter { present.contains($0.key) }
    blocks.unreadable.formIntersection(present)
    for block in present where blocks.numbers[block] == nil {
      blocks.newest += 1
      blocks.numbers[block] = blocks.newest
    }
    for block in present where !blocks.unreadable.contains(block) {
      guard let number = blocks.numbers[block] else { continue }
      if let known = blocks.oldest, known.number == number {
        return UploadCore.Batch(number: number, events: known.content.count)
      }
      guard let events = keeper.events(of: block), !events.isEmpty else {
        environment.log.error("A block of the app's storage cannot be read; it is given up.")
        blocks.unreadable.insert(block)
        keeper.remove(block)
        continue
      }
      let content = SealedBatch(events: events)
      blocks.oldest = (block, number, content)
      return UploadCore.Batch(number: number, events: content.count)
    }
    blocks.oldest = nil
    return nil
  }

  /// The name and content of a block that is to be sent; nil if it is gone meanwhile.
  func block(_ number: UInt64) -> (name: BatchName, content: SealedBatch)? {
    guard let oldest = blocks.oldest, oldest.number == number else { return nil }
    let content = oldest.content
    let name = BatchName(number: number, events: content.count, bytes: content.events.count)
    return (name, content)
  }

  /// What the app's storage makes of an answer; nil if it dealt with the block in its own way.
  func verdict(of keeper: any EventKeeper, _ response: UploadResponse) -> UploadVerdict? {
    guard let oldest = blocks.oldest else { return nil }
    let isSettled = keeper.settle(oldest.block, response)
    let isGone = isSettled && !keeper.blocks.contains(oldest.block)
    guard isGone else {
      let text =
        isSettled
        ? "The app's storage keeps a block that it says is settled."
        : "The app's storage wants a block sent again: \(response)."
      return .failed(DeliveryProblem(.unexpectedAnswer, text), retryAfterSeconds: nil)
    }
    blocks.oldest = nil
    blocks.events = max(0, blocks.events - oldest.content.count)
    guard case .answered(let status, _, _) = response, (200..<300).contains(status) else {
      return nil
    }
    return .delivered(status: status)
  }

  /// Forgets everything, since collection is off or the events are another key's.
  func clearKeeper(_ keeper: any EventKeeper, _ reason: DropReason) {
    let events = blocks.events
    keeper.removeAll()
    blocks = KeptBlocks(isOpen: true)
    sealing = nil
    count(reason, events)
    if isMain { reporter.endAll(reason) }
    _ = flushPolicy.receive(.sealed(eventsLeft: 0, bytesLeft: 0), at: now)
    feedOldest()
  }
}
