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
      cancelUpload()
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

  /// What the batches of a device say.
  private func content(ofDevice device: String) -> [UInt8] {
    let event = Event(.identify, identifier: .own(""), milliseconds: 0, deviceID: device)
    return settings.codec.commonContent(of: event) ?? settings.codec.commonContent
  }
}
