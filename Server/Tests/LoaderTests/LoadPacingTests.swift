import Testing

@testable import Loader

@Suite struct `Load pacing` {
  @Test func `loads at once after a quiet moment and gathers while events keep coming`() {
    var pacing = LoadPacing(LoaderSettings())
    #expect(pacing.pauseSeconds(waitingBytes: 300, secondsSinceStart: nil) == 0)
    #expect(pacing.pauseSeconds(waitingBytes: 300, secondsSinceStart: 1) == 0)
    #expect(abs(pacing.pauseSeconds(waitingBytes: 300, secondsSinceStart: 0.01) - 0.04) < 1e-9)
    pacing.stored(bytes: 1 << 20)
    #expect(abs(pacing.pauseSeconds(waitingBytes: 300, secondsSinceStart: 0.05) - 0.2) < 1e-9)
  }

  @Test func `gathers nothing when a whole batch is waiting`() {
    let pacing = LoadPacing(LoaderSettings())
    #expect(pacing.pauseSeconds(waitingBytes: 64 << 20, secondsSinceStart: 0) == 0)
  }

  @Test func `waits twice as long after each failure, up to a limit, and forgets it afterwards`() {
    var pacing = LoadPacing(LoaderSettings())
    let pauses = (0..<8).map { _ in pacing.failed() }
    #expect(pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5])
    pacing.stored(bytes: 1)
    #expect(pacing.failed() == 0.1)
  }

  @Test func `halves the batch after a refused row down to one record and grows again`() {
    var pacing = LoadPacing(LoaderSettings())
    pacing.refused(bytes: 1_000)
    #expect(pacing.batchBytes == 500)
    for _ in 0..<20 { pacing.refused(bytes: pacing.batchBytes) }
    #expect(pacing.batchBytes == 1)
    for _ in 0..<40 { pacing.stored(bytes: 1) }
    #expect(pacing.batchBytes == LoaderSettings().maxBatchBytes)
  }
}
