import HTTPServing
import Testing

@testable import Ingest

@Suite struct `Footfall-Sent-At` {
  @Test(arguments: [
    ("2026-12-01T09:30:00.123Z", 1_796_117_400_123), ("1970-01-01T00:00:00Z", 0),
    ("2000-02-29T23:59:59.9Z", 951_868_799_900), ("1969-12-31T23:59:59.999Z", -1),
    ("2026-12-01T09:30:00.123456789Z", 1_796_117_400_123), ("1764581400123", 1_764_581_400_123),
  ])
  func `times are read`(text: String, milliseconds: Int64) {
    #expect(read(text) == milliseconds)
  }

  @Test(arguments: [
    "", "now", "2026-12-01", "2026-12-01T09:30:00.Z", "2026-12-01T09:30:00", "2026-13-01T00:00:00Z",
    "2026-12-01T24:00:00Z", "2026-12-01T09:30:00+01:00", "-5", "12345678901234567890",
    "2026-12-01T09:30:00.123Zjunk", "1.5",
  ])
  func `anything else is no time`(text: String) {
    #expect(read(text) == nil)
  }

  private func read(_ text: String) -> Int64? {
    Array(text.utf8).withUnsafeBytes { SentAt.milliseconds($0) }
  }
}

@Suite struct `Base 64` {
  @Test(arguments: [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob")])
  func `text is decoded`(encoded: String, decoded: String) {
    let bytes = Array(encoded.utf8).withUnsafeBytes { Base64.decode($0, maxBytes: 100) }
    #expect(bytes == Array(decoded.utf8))
  }

  @Test(arguments: ["Z", "Zg===", "Z g=", "Zm9v!", "Zm9vYmFyZm9vYmFyZm9vYmFyZm9v"])
  func `anything else and too much is refused`(encoded: String) {
    #expect(Array(encoded.utf8).withUnsafeBytes { Base64.decode($0, maxBytes: 10) } == nil)
  }
}

@Suite struct `Operators' routes` {
  private func client(_ checks: [OperatorRoutes.Check]) -> TestClient {
    var router = Router()
    let counted = router
    OperatorRoutes(
      checks: { checks },
      metrics: {
        [
          .requests(of: counted),
          MetricFamily(
            "footfall_x",
            "A \"b\" \\\nc.",
            .gauge,
            [MetricSample(labels: [("a", "q\"\\\n")], 1.5), MetricSample(Double.infinity)]
          ),
        ]
      }
    ).install(in: &router)
    return TestClient(router)
  }

  @Test func `a store that is down leaves the collector ready and a log that fails does not`() async
  {
    let store = OperatorRoutes.Check(name: "store", problem: "It is down.", isVital: false)
    let answer = await client([store]).get("/readyz")
    #expect(answer.status == 200)
    #expect(answer.text == "store: It is down.\nready\n")
    let log = OperatorRoutes.Check(name: "log", problem: "The disk is full.", isVital: true)
    #expect(await client([log, store]).get("/readyz").status == 503)
    #expect(await client([log]).get("/healthz").status == 200)
  }

  @Test func `metrics are escaped as their format asks`() async {
    let answer = await client([]).get("/metrics")
    #expect(answer.header("Content-Type")?.hasPrefix("text/plain; version=0.0.4") == true)
    #expect(
      answer.text == """
        # HELP footfall_x A "b" \\\\\\nc.
        # TYPE footfall_x gauge
        footfall_x{a="q\\"\\\\\\n"} 1.5
        footfall_x +Inf

        """
    )
  }
}
