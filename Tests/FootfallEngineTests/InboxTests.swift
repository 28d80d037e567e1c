import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallEngine

@Suite(.timeLimit(.minutes(5))) struct `The inbox` {
  let inbox = Inbox(random: .seeded(1))
  static let moment = Moment(wallMilliseconds: 5, steadyMilliseconds: 5, awakeMilliseconds: 5)

  private func add(_ number: Int) {
    inbox.add(EventName("e\(number)"), [:], at: 5, now: Self.moment, details: nil)
  }

  private func names(_ work: Inbox.Work) -> [String] {
    work.entries.map { entry in
      switch entry {
      case .event(let event): event.name.text
      case .change(.identity(.setUser(let user)), at: _): "user \(user ?? "none")"
      case .change: "change"
      }
    }
  }

  @Test func `everything is taken once, in the order of the calls`() {
    add(1)
    inbox.add(.identity(.setUser("u")), at: Self.moment)
    add(2)
    #expect(names(inbox.take(recycling: [])) == ["e1", "user u", "e2"])
    #expect(names(inbox.take(recycling: [])).isEmpty)
  }

  @Test func `a full inbox refuses and counts, and takes again once emptied`() {
    for number in 0..<Inbox.waitingLimit + 3 { add(number) }
    let work = inbox.take(recycling: [])
    #expect(work.entries.count == Inbox.waitingLimit)
    #expect(work.losses.byReason == [.inboxFull: 3])
    add(1)
    #expect(names(inbox.take(recycling: [])) == ["e1"])
  }

  @Test func `switching off drops what waits and refuses the rest`() {
    add(1)
    inbox.disable(at: Self.moment) {}
    add(2)
    let work = inbox.take(recycling: [])
    #expect(names(work) == ["change"])
    #expect(work.losses.byReason == [.optedOut: 2])
    inbox.enable(at: Self.moment)
    add(3)
    #expect(names(inbox.take(recycling: [])) == ["change", "e3"])
  }

  @Test func `after the end every question is answered at once`() async {
    inbox.finish()
    add(1)
    let report = await withCheckedContinuation { continuation in
      inbox.post(.flush { continuation.resume(returning: $0) })
    }
    #expect(report.problem?.kind == .shutDown)
    await withCheckedContinuation { continuation in
      inbox.disable(at: Self.moment) { continuation.resume() }
    }
    inbox.enable(at: Self.moment)
    #expect(inbox.mode == .shutDown)
    var counts = Diagnostics()
    inbox.addCounts(to: &counts)
    #expect(counts.tracked == 1 && counts.dropped.byReason == [.shutDown: 1])
  }

  @Test func `the thread wakes for the first event and does not sleep past an urgent one`() async {
    await withTaskGroup { group in
      group.addTask {
        for number in 0..<5_000 { self.add(number) }
      }
      group.addTask {
        var taken = 0
        while taken < 5_000 {
          self.inbox.waitForWork(seconds: nil, gathering: Gathering(seconds: 0.001))
          taken += self.inbox.take(recycling: []).entries.count
        }
        #expect(taken == 5_000)
      }
    }
  }

  @Test func `events wait less than ten milliseconds for others`() {
    let settings = EngineSettings(
      folder: "/",
      codec: NativeCodec(url: "", key: "", device: DeviceContext(platform: "x"), gzip: .none)
    )
    #expect(settings.gatherSeconds < 0.01)
    #expect(settings.syncSeconds >= 1)
  }
}
