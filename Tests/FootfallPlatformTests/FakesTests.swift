import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallPlatform

@Suite(.timeLimit(.minutes(5))) struct `Manual clock` {
  let clock = ManualClock()

  @Test func `a sleeper wakes when its time has come and not before`() async {
    let woken = Lock(false)
    let sleeper = Task { [clock] in
      await clock.sleep(10)
      woken.withLock { $0 = true }
    }
    await clock.waitForSleepers()
    clock.advance(bySeconds: 9.99)
    #expect(clock.sleepers == 1)
    clock.advance(bySeconds: 0.02)
    await sleeper.value
    #expect(woken.withLock { $0 })
  }

  @Test func `a cancelled sleeper wakes at once`() async {
    let sleeper = Task { [clock] in await clock.sleep(10) }
    await clock.waitForSleepers()
    sleeper.cancel()
    await sleeper.value
    #expect(clock.sleepers == 0)
  }

  @Test func `setting the wall clock leaves the monotonic time alone`() {
    let before = clock.monotonic
    clock.setWallClock(to: .distantPast)
    #expect(clock.now == .distantPast)
    #expect(clock.monotonic == before)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Scripted transport` {
  let request = UploadRequest(url: "http://a/", body: [1])

  @Test func `answers come in the order of the script, then the other one`() async {
    let transport = ScriptedTransport([.status(500), .fail(.timedOut)], otherwise: .status(202))
    var answers: [UploadResponse] = []
    for _ in 0..<3 { answers.append(await transport.send(request)) }
    #expect(answers.map(\.status) == [500, nil, 202])
    #expect(answers[1].failure == .timedOut)
    #expect(transport.requests.count == 3)
  }

  @Test(arguments: ["release", "cancelAll", "shutdown", "task"])
  func `a held request ends as told`(by: String) async {
    let transport = ScriptedTransport(
      [.hold(.answered(status: 200, headers: [:], body: []))])
    let sending = Task { await transport.send(request) }
    await transport.waitForRequests(1)
    switch by {
    case "release":
      transport.release()
      #expect(await sending.value.status == 200)
    case "cancelAll":
      transport.cancelAll()
      #expect(await sending.value.failure == .cancelled)
    case "shutdown":
      transport.shutdown()
      #expect(await sending.value.failure == .cancelled)
      #expect(await transport.send(request).failure == .cancelled)
    default:
      sending.cancel()
      #expect(await sending.value.failure == .cancelled)
    }
  }
}
