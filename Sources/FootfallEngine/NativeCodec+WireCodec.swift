package import FootfallCore
package import FootfallPlatform

extension NativeCodec: WireCodec {
  package func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    EventEncoder(limits: limits).encode(event, into: &buffer, losses: &losses)
  }

  package var commonContent: [UInt8] { [] }

  package func request(_ batch: BatchContent, attempt: AttemptInfo) -> UploadRequest {
    request(
      events: batch.events,
      losses: attempt.losses,
      sentAtMilliseconds: attempt.sentAtMilliseconds
    )
  }

  package func verdict(
    _ response: UploadResponse,
    for batch: BatchContent,
    now: Double
  ) -> UploadVerdict {
    verdict(response, now: now)
  }

  package func identity(of event: ArraySlice<UInt8>) -> (id: String, name: String)? { nil }
}
