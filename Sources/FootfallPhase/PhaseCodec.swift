package import FootfallCore
package import FootfallEngine
package import FootfallPlatform

/// Phase on the wire: devices, sessions, events and pings as items of one batch.
///
/// Source: `phase.md` sections 3, 5.6, 5.7, 5.9 and 6.
package struct PhaseCodec: Sendable {
  /// The address unless the app says otherwise.
  package static let defaultBaseURL = "https://api.phase.sh"

  /// Where requests go, the full address.
  package let url: String
  /// The app's key.
  package var key: String
  /// Whether model, system and app version are sent.
  package var sendsDeviceInfo = true
  /// Whether the locale is sent; without it the server looks up no country either.
  package var sendsLocale = true
  /// Whether requests say that they are of a developer.
  package var isDebug = false
  /// How large events may be.
  package var limits = EventLimits.phase
  /// The names by which events are told from other items.
  package var vocabulary = EventVocabulary.phase
  /// The name of what becomes a ping.
  package var heartbeat = PipelineRules.phase.heartbeat
  /// The longest an exchange may take, in seconds.
  ///
  /// Source: `phase.md` section 1.1.
  package var timeoutSeconds = 15.0
  /// Whether the server knows no other systems than iOS and Android.
  let isStockServer: Bool

  /// A codec for a server, to whose address the path is added, and a key.
  package init(baseURL: String = defaultBaseURL, key: String) {
    let base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
    url = base + "/sdk/batch"
    isStockServer = base == Self.defaultBaseURL
    self.key = key
  }

  /// What statuses mean, but for those whose body decides.
  static let answers: AnswerRules = {
    var rules = AnswerRules()
    rules.malformed = [400, 422]
    rules.unreadable = []
    return rules
  }()
}

extension PhaseCodec: WireCodec {
  package func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    PhaseItemEncoder(codec: self).encode(event, into: &buffer, losses: &losses)
  }

  /// Nothing: what is known of the device is in its item.
  package var commonContent: [UInt8] { [] }

  /// The device: the server refuses batches with two.
  package func commonContent(of event: Event) -> [UInt8]? { event.deviceID.map { Array($0.utf8) } }

  /// At most one ping of a session waits.
  package func place(of event: Event) -> String? {
    guard event.name == heartbeat, let session = event.sessionID else { return nil }
    return PhaseItemEncoder.text(session)
  }

  /// The session, which is in each of its items; devices outlive them.
  package func group(of stored: ArraySlice<UInt8>) -> BacklogGroup? {
    PhaseItemEncoder.session(of: stored).map { session in
      BacklogGroup(session, isHead: identity(of: stored)?.name == vocabulary.sessionStart.text)
    }
  }

  /// What it is about an event, or which of a device's properties are left out, and why.
  package func remarks(on event: Event, dropped reason: DropReason?) -> [String] {
    guard let reason else {
      let properties = event.userOperations.map { PhaseItemEncoder.setProperties(of: $0) } ?? [:]
      let problems = properties.compactMap {
        EventLimits.phaseDevice.problem(ofProperty: $0.key, $0.value, .leaveOut)
      }
      return problems.map { "A property of the device is left out: \($0)." }
    }
    let sent = PhaseItemEncoder(codec: self).screenNamed(event) ?? event
    let problem = limits.problem(ofName: sent.name) ?? limits.problem(ofProperties: sent.properties)
    let size = reason == .tooLarge ? "its params are over \(limits.propertiesBytes) bytes" : nil
    return ["An event was dropped: \(problem ?? size ?? reason.rawValue)."]
  }

  package func request(_ batch: BatchContent, attempt: AttemptInfo) -> UploadRequest {
    var body = JSONBuffer(capacity: batch.events.count + 64)
    body.append("{\"items\":[")
    for (order, stored) in batch.eachEvent.enumerated() {
      if order > 0 { body.append(UInt8(ascii: ",")) }
      body.append("{\"clientOrder\":")
      body.append(Int64(order))
      for byte in PhaseItemEncoder.item(of: stored) { body.append(byte) }
    }
    body.append("]}")
    var headers: [(name: String, value: String)] = [
      ("Authorization", "Bearer \(key)"), ("Content-Type", "application/json"),
    ]
    // By this our own server knows a client that reads all it answers, and how far its clock is off.
    if !isStockServer {
      headers.append(
        ("Footfall-Sent-At", Timestamp.rfc3339(milliseconds: attempt.sentAtMilliseconds))
      )
    }
    if isDebug { headers.append(("x-phase-debug-data", "1")) }
    return UploadRequest(
      url: url,
      headers: headers,
      body: body.bytes,
      timeoutSeconds: timeoutSeconds
    )
  }

  package func verdict(
    _ response: UploadResponse,
    for batch: BatchContent,
    now: Double
  ) -> UploadVerdict {
    switch response {
    case .answered(let status, let headers, let body):
      if let verdict = PhaseAnswer(body)?.verdict(status: status, count: batch.count) {
        return verdict
      }
      return Self.answers.verdict(status: status, headers: headers, now: now)
    case .failed(let failure): return UploadVerdict(failure)
    }
  }

  package func identity(of event: ArraySlice<UInt8>) -> (id: String, name: String)? {
    StoredEventHead.read(event)
  }
}
