import FootfallAWS
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Signing on the way` {
  private let clock = ManualClock(Date(timeIntervalSince1970: 1_793_611_815))

  private func transport(_ base: ScriptedTransport) -> SigningTransport {
    let clock = clock
    return SigningTransport(
      base,
      signer: RequestSigner(region: "us-east-1", service: "kinesis"),
      now: { clock.now },
      credentials: { _ in Credentials(accessKeyID: "AKIDEXAMPLE", secretKey: "secret") }
    )
  }

  private func date(_ request: UploadRequest) -> String? {
    request.headers.first { $0.name == "X-Amz-Date" }?.value
  }

  @Test(arguments: ["RequestTimeTooSkewed", "InvalidSignatureException"])
  func
    `a service that finds the clock wrong is asked again by its own, once, and then from the start`(
      name: String
    ) async
  {
    let base = ScriptedTransport([
      .status(
        400,
        headers: ["date": "Mon, 02 Nov 2026 10:30:15 GMT", "x-amzn-errortype": "\(name):http://x/"]
      ),
      .status(200), .status(200),
    ])
    let transport = transport(base)
    _ = await transport.send(UploadRequest(url: "http://127.0.0.1/"))
    _ = await transport.send(UploadRequest(url: "http://127.0.0.1/"))
    #expect(
      base.requests.map(date) == ["20261102T093015Z", "20261102T103015Z", "20261102T103015Z"]
    )
  }

  @Test func `a wrong signature at the right time is not sent again`() async {
    let answer = ScriptedTransport.Step.status(
      403,
      headers: [
        "date": "Mon, 02 Nov 2026 09:30:25 GMT", "x-amzn-errortype": "InvalidSignatureException",
      ]
    )
    let base = ScriptedTransport([answer, answer])
    let transport = transport(base)
    guard case .answered(403, _, _) = await transport.send(UploadRequest(url: "http://a/")) else {
      Issue.record("The answer is passed on.")
      return
    }
    #expect(base.requests.count == 1)
  }

  @Test func `a failure's name is in the header or the body, behind a hash and before a colon`() {
    func name(_ headers: [String: String], _ body: String, status: Int = 400) -> String? {
      ServiceErrorName(.answered(status: status, headers: headers, body: Array(body.utf8)))?.text
    }
    #expect(
      name(["x-amzn-errortype": "BadRequestException:http://a/"], "{}") == "BadRequestException"
    )
    #expect(name([:], #"{"__type":"com.amazonaws#SlowDown","message":"m"}"#) == "SlowDown")
    #expect(name([:], "<html>") == "" && name([:], "{}", status: 200) == nil)
  }

  @Test func `who waits for credentials is let go when nobody wants the request any more`() async {
    let source = CredentialsSource(NeverProvider())
    let clock = clock
    let waiting = Task {
      await source.current(limitSeconds: 1e6, sleep: { await clock.sleep($0) })
    }
    await clock.waitForSleepers()
    waiting.cancel()
    #expect(await waiting.value == nil)
  }

  @Test func `a provider that blocks its thread holds nobody up, and is asked once meanwhile`()
    async
  {
    let provider = BlockingProvider()
    let source = CredentialsSource(provider)
    let clock = clock
    func ask() -> Task<Credentials?, Never> {
      Task { await source.current(limitSeconds: 30, sleep: { await clock.sleep($0) }) }
    }
    for _ in 0..<3 {
      let asking = ask()
      await clock.waitForSleepers()
      clock.advance(bySeconds: 30)
      #expect(await asking.value == nil)
    }
    let last = ask()
    await clock.waitForSleepers()
    source.invalidate()
    provider.gate.open()
    #expect(await last.value?.accessKeyID == "AKIDEXAMPLE")
    #expect(await ask().value?.accessKeyID == "AKIDEXAMPLE")
    #expect(provider.calls.withLock { $0 } == ["asked", "invalidated", "asked"])
  }
}

/// A provider that blocks whoever calls it until a gate opens.
private final class BlockingProvider: NSObject, AWSCredentialsProvider, Sendable {
  /// Longer than a busy machine may keep the test from opening it.
  private static let limitSeconds = 600.0
  let gate = Gate()
  let calls = Lock<[String]>([])

  func credentials() -> AWSTask<AWSCredentials> {
    gate.wait(timeoutSeconds: Self.limitSeconds)
    calls.withLock { $0.append("asked") }
    let key = AWSStaticCredentialsProvider(accessKey: "AKIDEXAMPLE", secretKey: "secret")
    return key?.credentials() ?? AWSTask(error: CocoaError(.fileNoSuchFile))
  }

  func invalidateCachedTemporaryCredentials() {
    gate.wait(timeoutSeconds: Self.limitSeconds)
    calls.withLock { $0.append("invalidated") }
  }
}

/// A provider whose task never ends.
private final class NeverProvider: NSObject, AWSCredentialsProvider, Sendable {
  private let pending = AWSTaskCompletionSource<AWSCredentials>()
  func credentials() -> AWSTask<AWSCredentials> { pending.task }
  func invalidateCachedTemporaryCredentials() {}
}
