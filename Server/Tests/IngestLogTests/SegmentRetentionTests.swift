import FootfallJournal
import Testing

@testable import IngestLog

private func sealed(_ number: UInt64, _ bytes: UInt64 = 100) -> SegmentRetention.Segment {
  SegmentRetention.Segment(number: number, bytes: bytes, isSealed: true)
}

private func open(_ number: UInt64, _ bytes: UInt64 = 100) -> SegmentRetention.Segment {
  SegmentRetention.Segment(number: number, bytes: bytes, isSealed: false)
}

@Suite struct `Segment retention` {
  private static func settings() -> IngestLog.Retention {
    var settings = IngestLog.Retention()
    settings.keepsLoadedSeconds = 10
    settings.sealsAfterSeconds = 5
    settings.maxBytes = 1_000
    return settings
  }

  @Test func `a segment goes once it has been loaded for long enough, and not before`() {
    var core = SegmentRetention(Self.settings())
    let segments = [sealed(1), sealed(2), open(3)]
    let loaded = JournalPosition(segment: 2, offset: 60)
    #expect(core.receive(segments, loadedUpTo: loaded, atMs: 0) == [])
    #expect(core.receive(segments, loadedUpTo: loaded, atMs: 4_999) == [])
    #expect(
      core.receive(segments, loadedUpTo: loaded, atMs: 10_000) == [.remove(segment: 1), .seal]
    )
  }

  @Test func `what is not loaded stays, however old and however large the log is`() {
    var core = SegmentRetention(Self.settings())
    let segments = [sealed(1, 5_000), sealed(2, 5_000), open(3)]
    #expect(core.receive(segments, loadedUpTo: nil, atMs: 0) == [])
    let far: Int64 = 1_000_000_000
    #expect(core.receive(segments, loadedUpTo: .start, atMs: far) == [.seal])
    let inside = JournalPosition(segment: 1, offset: 4_999)
    #expect(core.receive(segments, loadedUpTo: inside, atMs: far) == [.seal])
  }

  @Test func `over the cap loaded segments go early, oldest first, until it fits`() {
    var core = SegmentRetention(Self.settings())
    let segments = [sealed(1, 600), sealed(2, 600), sealed(3, 600), open(4, 100)]
    let loaded = JournalPosition(segment: 4, offset: 100)
    #expect(
      core.receive(segments, loadedUpTo: loaded, atMs: 0) == [
        .remove(segment: 1), .remove(segment: 2),
      ]
    )
  }

  @Test func `a segment that fills slowly is closed by age`() {
    var core = SegmentRetention(Self.settings())
    #expect(core.receive([open(1)], loadedUpTo: nil, atMs: 1_000) == [])
    #expect(core.receive([open(1)], loadedUpTo: nil, atMs: 5_999) == [])
    #expect(core.receive([open(1)], loadedUpTo: nil, atMs: 6_000) == [.seal])
    #expect(core.receive([sealed(1), open(2)], loadedUpTo: nil, atMs: 6_001) == [])
  }

  @Test func `the bytes the store lacks are counted from its position`() {
    let segments = [sealed(1), sealed(2), open(4, 50)]
    func unloaded(_ position: JournalPosition?) -> UInt64 {
      SegmentRetention.unloadedBytes(segments, loadedUpTo: position)
    }
    #expect(unloaded(nil) == 250)
    #expect(unloaded(JournalPosition(segment: 2, offset: 30)) == 120)
    #expect(unloaded(JournalPosition(segment: 4, offset: 50)) == 0)
  }
}
