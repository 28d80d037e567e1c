extension UploadCore {
  static let offlineProblem = DeliveryProblem(.offline, "The client is offline.")

  /// Whether a request may leave, as far as being offline goes.
  var canGoOut: Bool {
    switch offlineCause {
    case nil: true
    case .app?: false
    case .failures?, .network?: isLastPass
    }
  }

  /// Off until something says otherwise; a request in flight is still waited for.
  mutating func goOffline(_ cause: OfflineCause) -> [Effect] {
    let changed = setOffline(cause)
    switch phase {
    case .sending, .settling: return changed
    case .ready, .backingOff, .holding, .stopped:
      return changed + (canGoOut ? [] : finishFlush(oldest == nil ? nil : Self.offlineProblem))
    }
  }

  mutating func setOffline(_ cause: OfflineCause) -> [Effect] {
    let wasOffline = isOffline
    offlineCause = cause
    return wasOffline ? [] : [.offlineChanged(true)]
  }

  /// Sends again at once, unless the server asked for time.
  mutating func comeOnline() -> [Effect] {
    guard isOffline else { return [] }
    offlineCause = nil
    return [.offlineChanged(false)] + endOrdinaryWait()
  }

  /// A report of the network's monitor; only changes count.
  ///
  /// The first report ever says how it is and ends nothing; a network that returns does. Source:
  /// `amplitude.md`, scenarios D16, D36 and D46.
  mutating func connectivityChanged(_ new: Bool?) -> [Effect] {
    let old = isOnline
    isOnline = new
    guard new != old else { return [] }
    switch new {
    case true?:
      // The first report is no return.
      guard old == false else { return [] }
      guard offlineCause != nil else { return endOrdinaryWait() }
      return rules.waitsForConnectivity ? comeOnline() : []
    case false?:
      return rules.waitsForConnectivity && !isOffline ? goOffline(.network) : []
    case nil:
      return offlineCause == .network ? comeOnline() : []
    }
  }

  private mutating func endOrdinaryWait() -> [Effect] {
    if case .backingOff = phase { phase = .ready }
    return phase == .ready ? proceed() : []
  }
}
