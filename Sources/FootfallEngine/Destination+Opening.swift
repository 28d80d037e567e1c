import FootfallCore
import FootfallOutbox
import FootfallPlatform
import FootfallSystem

extension Destination {
  /// How long to wait before a folder that could not be used is tried again, in seconds.
  private static let openAgainSeconds = 5.0

  /// Opens the outbox if there is none and it is time to.
  func openIfDue() {
    guard settings.keeper == nil else { return openKeeper() }
    open()
    takeBackHeld()
  }

  private func open() {
    guard outbox == nil, !isClosed, openDeadline.map({ $0 <= now }) ?? true else { return }
    let folder = OutboxFolder(
      path: settings.folder,
      limits: settings.outbox,
      files: files,
      heldFiles: heldFiles,
      random: randomWords()
    )
    do throws(OutboxError) {
      let opened = try folder.open()
      prepare([settings.folder, opened.folder], settings.files)
      opened.commonContent = groupContent
      outbox = opened
      openDeadline = nil
      counts.problem = nil
      for finding in opened.findings { environment.log.warning(finding) }
      loadNewest(from: opened)
      loadLosses(opened)
      host?.opened(self)
      takeBackAside(opened)
      takeOver(opened)
      let adopted = try folder.adopt(into: opened)
      if adopted > 0 { environment.log.info("\(adopted) events of another process adopted.") }
      if adopted > 0, !isCollecting { deleteAll() }
      feedOldest()
    } catch {
      openDeadline = now + Self.openAgainSeconds
      openError = error
      counts.problem = DeliveryProblem(.storageFailed, error.description)
      environment.log.error("Events cannot be stored: \(error)")
    }
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

  /// Opens the outbox anew after its folder failed, and counts what is not there any more.
  func reopen(_ broken: Outbox) -> Outbox? {
    let before = broken.keptEvents
    broken.close()
    outbox = nil
    openDeadline = nil
    held.doubt()
    open()
    let kept = outbox?.keptEvents ?? 0
    count(.storageFailed, before - kept)
    // Which ones are gone only shows when all are.
    if isMain, outbox != nil, kept == 0 { reporter.endAll(.storageFailed) }
    return outbox
  }

  /// What an earlier run left is sealed at once; or deleted, if nothing may be kept.
  private func takeOver(_ opened: Outbox) {
    guard isCollecting, !owesDeletion else { return deleteAll() }
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
