import HTTPServing
import Testing

@testable import Ingest

@Suite struct `Routes for operators` {
  private func client(
    from peer: String,
    operators: [AddressRange]?,
    isReady: Bool = true
  ) -> TestClient {
    var router = Router()
    OperatorRoutes(
      operators: operators,
      checks: {
        [.init(name: "log", problem: isReady ? nil : "the disk is full", isVital: true)]
      },
      metrics: { [MetricFamily("footfall_x", "X.", .gauge, [MetricSample(1)])] }
    ).install(in: &router)
    var client = TestClient(router)
    client.peer = peer
    return client
  }

  private static let local = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)

  @Test(
    arguments: [
      ("127.0.0.1", local, true), ("::1", local, true), ("192.0.2.1", local, false),
      ("10.1.2.3", ["10.0.0.0/8"].compactMap(AddressRange.init), true), ("10.1.2.3", [], false),
      ("192.0.2.1", nil, true),
    ] as [(String, [AddressRange]?, Bool)]
  )
  func `tell numbers and reasons to operators alone`(
    peer: String,
    operators: [AddressRange]?,
    isOperator: Bool
  ) async {
    let client = client(from: peer, operators: operators, isReady: false)
    let metrics = await client.get("/metrics")
    #expect(metrics.status == (isOperator ? 200 : 403))
    #expect(metrics.text.contains("footfall_x") == isOperator)
    let readiness = await client.get("/readyz")
    #expect(readiness.status == 503)
    #expect(readiness.text.contains("the disk is full") == isOperator)
    #expect(readiness.text.contains("not ready"))
    #expect(await client.get("/healthz").status == 200)
  }

  @Test func `believe a proxy only where it is trusted`() async {
    let client = client(from: "127.0.0.1", operators: Self.local)
    let forged = [Header("X-Forwarded-For", "192.0.2.1")]
    // No proxy is trusted: whoever connects from this machine is on this machine.
    #expect(await client.get("/metrics", headers: forged).status == 200)
    let outside = self.client(from: "192.0.2.1", operators: Self.local)
    let claim = [Header("X-Forwarded-For", "127.0.0.1")]
    #expect(await outside.get("/metrics", headers: claim).status == 403)
  }
}
