import FootfallCore
import FootfallOutbox
import FootfallPlatform
import FootfallSystem

extension Destination {
  /// How long to wait before a folder that could not be used is tried again, in seconds.
  static let openAgainSeconds = 5.0

  /// Opens the outbox if there is none and it is time to.
  func openIfDue() {
    guard settings.keeper == nil else { return openKeeper() }
    open()
    takeBackHeld()
  }

  private func open() {
    guard outbox == nil, !isClosed, openDeadline.map({ $0 <= now }) ?? true else { return }
    do throws(OutboxError) {
      let opened = try folder.open()
      prepare([settings.folder, opened.folder], settings.files)
      opened.commonContent = groupContent
      outbox = opened
      openDeadline = nil
      counts.problem = nil
      for finding in opened.findings { environment.log.warning(finding) }
      settleDoubt(opened)
      loadNewest(from: opened)
      loadLosses(opened)
      host?.opened(self)
      takeBackAside(opened)
      takeOver(opened)
      if owesDeletion, isCollecting { return leaveUndeleted() }
      adopt()
    } catch {
      openDeadline = now + Self.openAgainSeconds
      openError = error
      counts.problem = DeliveryProblem(.storageFailed, error.description)
      environment.log.error("Events cannot be stored: \(error)")
    }
  }

  private var folder: OutboxFolder {
    OutboxFolder(
      path: settings.folder,
      limits: settings.outbox,
      files: files,
      heldFiles: heldFiles,
      random: randomWords()
    )
  }

  /// Takes in what other processes left, and sends; what cannot be taken in yet holds nothing up.
  func adopt() {
    adoptDeadline = nil
    guard let outbox, !isClosed else { return }
    let before = outbox.keptEvents
    do throws(OutboxError) { _ = try folder.adopt(into: outbox) } catch {
      adoptDeadline = now + Self.openAgainSeconds
      environment.log.warning("What another process left cannot be taken in yet: \(error)")
    }
    let adopted = outbox.keptEvents - before
    if adopted > 0 { environment.log.info("\(adopted) events of another process adopted.") }
    if adopted > 0, !isCollecting { deleteAll() }
    feedOldest()
  }

  /// Counts what a folder that failed does not have any more.
  private func settleDoubt(_ opened: Outbox) {
    guard doubtful > 0 else { return }
    count(.storageFailed, max(0, doubtful - opened.keptEvents))
    // Which ones are gone only shows when all are.
    if isMain, opened.keptEvents == 0 { reporter.endAll(.storageFailed) }
    doubtful = 0
  }

  /// Keeps folders out of backups and the like; once, as opening them again changes nothing.
  ///
  /// What does not lie in the environment's files is not the environment's to care for.
  func prepare(_ folders: [String], _ own: (any FileSystem)?) {
    guard own == nil else { return }
    for folder in folders where prepared.insert(folder).inserted {
      environment.prepareFolder(folder)
    }
  }

  /// Opens the outbox anew after its folder failed; what is not there any more is counted once it is open.
  func reopen(_ broken: Outbox) -> Outbox? {
    doubtful = broken.keptEvents
    broken.close()
    outbox = nil
    openDeadline = nil
    held.doubt()
    open()
    return outbox
  }

  /// What an earlier run left is sealed at once; or deleted, if nothing may be kept.
  private func takeOver(_ opened: Outbox) {
    guard isCollecting, !owesDeletion else { return deleteAll(sparingWaiting: isCollecting) }
    if !hasLaunched { enforceLaunchCap(opened) }
    hasLaunched = true
    guard opened.unsealedEvents > 0 || !newest.entries.isEmpty else { return }
    _ = flushPolicy.receive(
      .stored(
        events: opened.unsealedEvents + newest.entries.count,
        bytes: opened.unsealedBytes
      ),
      at: now
    )
    sealing = .sealAll
  }

  /// What the server could not read of another version of the library is sent again.
  private func takeBackAside(_ opened: Outbox) {
    do throws(OutboxError) {
      let number = try opened.takeBackAside(library: environment.device.library)
      guard number > 0 else { return }
      environment.log.info("\(number) batches that were put aside are tried again.")
    } catch {
      environment.log.warning("Batches that were put aside could not be taken back: \(error)")
    }
  }

  private func enforceLaunchCap(_ opened: Outbox) {
    do throws(OutboxError) {
      let dropped = try opened.enforceLaunchCap(onDrop: dropTeller)
      guard dropped > 0 else { return }
      count(.backlogFull, dropped)
      environment.log.warning(
        "The \(dropped) oldest events of earlier launches were dropped: too many unsent."
      )
    } catch {
      environment.log.warning("What earlier launches left could not be cut: \(error)")
    }
  }

  func randomWords() -> @Sendable () -> UInt64 {
    let source = environment.random
    return {
      var word: UInt64 = 0
      withUnsafeMutableBytes(of: &word) { source.fill($0) }
      return word
    }
  }
}
