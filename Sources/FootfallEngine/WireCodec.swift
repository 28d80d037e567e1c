package import FootfallCore
package import FootfallPlatform

/// A protocol on the wire: events to sealed bytes, sealed bytes to a request, a response to a
/// verdict.
///
/// A value without state: the bytes of an event are made once, before it is stored, and are sent
/// unchanged on every attempt. What belongs to an attempt (its time, what was lost) is made anew.
package protocol WireCodec: Sendable {
  /// Writes an event as it is stored and sent.
  ///
  /// Returns the reason if the event has to be dropped whole, and then leaves the buffer as it was;
  /// what was cut or left out is added to `losses`. A line feed must not be written.
  func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason?

  /// Whether an event is one for this wire; another is nobody's loss here.
  func takes(_ event: Event) -> Bool

  /// What the batches of this run have in common and carry once: sealed with each batch, so that a
  /// later run or version of the app sends what was true when the events happened.
  var commonContent: [UInt8] { get }

  /// The same codec for events whose context is this one unless they say otherwise.
  func sharing(_ context: EventContext) -> any WireCodec

  /// What only the batches with this event say once, in the place of `commonContent`; nil for all
  /// events that have nothing of their own to say.
  ///
  /// Never two of it in one batch.
  func commonContent(of event: Event) -> [UInt8]?

  /// The place that an event takes, if only the newest in that place is to be sent; nil for events
  /// that all count.
  ///
  /// As long as it is in no batch, a newer event of the same place replaces it. Has no line feed.
  func place(of event: Event) -> String?

  /// What a stored event goes with when too many are kept, for destinations that drop by groups; nil
  /// for one that stays as long as others can go.
  func group(of stored: ArraySlice<UInt8>) -> BacklogGroup?

  /// What the log says of an event that is dropped for a reason, or, without one, of parts of it that
  /// are lost: sentences, in which values of properties never stand.
  func remarks(on event: Event, dropped reason: DropReason?) -> [String]

  /// The host that requests go to; nil where that is not known beforehand.
  var host: String? { get }

  /// The request for some events of a sealed batch.
  func request(_ batch: BatchContent, attempt: AttemptInfo) -> UploadRequest

  /// What a response means for them; `now` is in seconds since 1970.
  func verdict(_ response: UploadResponse, for batch: BatchContent, now: Double) -> UploadVerdict

  /// The id and name in an event's stored bytes; nil if they cannot be read.
  func identity(of event: ArraySlice<UInt8>) -> (id: String, name: String)?
}

extension WireCodec {
  /// Every event unless the codec says otherwise.
  package func takes(_ event: Event) -> Bool { true }
  /// This very codec, unless it says something once for all events.
  package func sharing(_ context: EventContext) -> any WireCodec { self }
  /// Nothing unless the codec says otherwise.
  package func commonContent(of event: Event) -> [UInt8]? { nil }
  /// None unless the codec says otherwise.
  package func place(of event: Event) -> String? { nil }
  /// None unless the codec says otherwise.
  package func group(of stored: ArraySlice<UInt8>) -> BacklogGroup? { nil }
  /// The reason, and nothing of parts, unless the codec says otherwise.
  package func remarks(on event: Event, dropped reason: DropReason?) -> [String] {
    reason.map { ["An event was dropped: \($0)."] } ?? []
  }
  /// Not known beforehand.
  package var host: String? { nil }
}

/// Some events of a sealed batch, as they are sent in one request.
package struct BatchContent: Sendable {
  /// The events' stored bytes with `,` and a line feed between two of them.
  package var events: ArraySlice<UInt8>
  /// How many there are.
  package var count: Int
  /// What the codec that sealed them said of them all.
  package var commonContent: [UInt8]

  /// A content from its parts.
  package init(events: ArraySlice<UInt8>, count: Int, commonContent: [UInt8]) {
    self.events = events
    self.count = count
    self.commonContent = commonContent
  }
}

/// What belongs to one attempt and is never sealed.
package struct AttemptInfo: Sendable, Equatable {
  /// The time of the attempt by the device's clock, in milliseconds since 1970.
  package var sentAtMilliseconds: Int64
  /// What was lost since the server last heard of losses.
  package var losses: DropCounts

  /// Information from its parts.
  package init(sentAtMilliseconds: Int64, losses: DropCounts) {
    self.sentAtMilliseconds = sentAtMilliseconds
    self.losses = losses
  }
}
