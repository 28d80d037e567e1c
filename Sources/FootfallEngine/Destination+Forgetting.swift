import FootfallCore
import FootfallOutbox
import FootfallPlatform

extension Destination {
  /// Drops what is stored of devices, and ends the request that is on its way with some of it.
  ///
  /// For codecs by which batches say whose they are; of others all goes.
  func forget(_ devices: [String]) {
    let contents = Set(devices.map { content(ofDevice: $0) })
    writeDeferred()
    guard let outbox, !contents.isEmpty else { return }
    let held = newest.entries.filter { contents.contains($0.commonContent) }
    do throws(OutboxError) {
      let kept = try outbox.kept(sparing: nil)
      let gone = kept.filter { contents.contains($0.commonContent) }
      guard !gone.isEmpty || !held.isEmpty else { return }
      cancelUpload(cutsAll: false)
      feed(.stop(DeliveryProblem(.disabled, "The app goes on as a new device.")))
      try outbox.keepOnly(kept.filter { !contents.contains($0.commonContent) }, sparing: nil)
      for entry in held { newest.remove(entry) }
      isNewestChanged = !held.isEmpty
      commitNewest()
      count(.deviceReset, gone.count + held.count)
      environment.log.info("\(gone.count + held.count) events of the device before were dropped.")
      let outcome = EventResult.Outcome.dropped(.deviceReset, status: nil, message: "")
      end((gone.map(\.event) + held.map(\.event)).map { $0[...] }, outcome)
    } catch {
      environment.log.error("Events of the device before could not be dropped: \(error)")
    }
    countAnew()
    feed(.resume)
    feedOldest()
  }

  /// The oldest events kept, at most so many, as far as they can be read.
  func kept(atMost limit: Int) -> [[UInt8]] {
    writeDeferred()
    var events: [[UInt8]] = []
    outbox?.eachKept(atMost: limit) { events.append(Array($0)) }
    return events
  }

  /// Drops everything that is kept, since the app says so, and ends the request that is on its way.
  func dropKept() {
    writeDeferred()
    guard let outbox, outbox.keptEvents > 0 else { return }
    do throws(OutboxError) {
      let gone = try outbox.kept(sparing: nil)
      cancelUpload(cutsAll: false)
      feed(.stop(DeliveryProblem(.disabled, "The app removes what is kept.")))
      try outbox.keepOnly([], sparing: nil)
      count(.removed, gone.count)
      end(gone.map { $0.event[...] }, .dropped(.removed, status: nil, message: ""))
    } catch {
      environment.log.error("Kept events could not be removed: \(error)")
    }
    countAnew()
    feed(.resume)
    feedOldest()
  }

  /// What the batches of a device say.
  private func content(ofDevice device: String) -> [UInt8] {
    let event = Event(.identify, identifier: .own(""), milliseconds: 0, deviceID: device)
    return settings.codec.commonContent(of: event) ?? settings.codec.commonContent
  }
}
