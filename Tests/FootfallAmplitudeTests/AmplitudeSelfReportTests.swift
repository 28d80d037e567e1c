import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Testing

/// What Amplitude's client tells of its own work, and when.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude: diagnostics` {
  private static let address = "https://diagnostics.prod.us-west-2.amplitude.com/v1/capture"

  /// A client whose server wants diagnostics as told, and its app as told.
  private func app(_ remote: String, isOn: Bool = true) async -> AmplitudeApp {
    let answer = #"{"configs":{"diagnostics":{"iosSDK":\#(remote)}}}"#
    let script = ScriptedTransport(otherwise: AmplitudeWorld.ok)
    script.then(.status(200, answer))
    let app = AmplitudeApp(
      script,
      change: { $0.enableDiagnostics = isOn },
      make: { key, log, level, autocapture in
        Configuration(apiKey: key, logLevel: level, loggerProvider: log, autocapture: autocapture)
      }
    )
    while app.client.engine.remoteConfiguration.source != .server, !Task.isCancelled {
      await app.settle()
    }
    return app
  }

  private func reports(_ app: AmplitudeApp) -> [UploadRequest] {
    app.script.requests.filter { $0.url == Self.address }
  }

  @Test func `what was sent and lost is told after 300 s, once`() async throws {
    let app = await app(#"{"enabled":true,"sampleRate":1}"#)
    for name in ["a", "b"] { app.amplitude.track(eventType: name) }
    await app.client.flush()
    await app.settle()
    #expect(reports(app).isEmpty)
    let before = app.script.requests.count
    await app.pass(300)
    await app.script.waitForRequests(before + 1)
    for _ in 0..<5 { await app.pass(300) }
    let report = try #require(reports(app).first)
    #expect(reports(app).count == 1)
    let fields = Dictionary(uniqueKeysWithValues: report.headers.map { ($0.name, $0.value) })
    #expect(fields["X-ApiKey"] == "KEY" && fields["X-Client-Sample-Rate"] == "1.0")
    let counters = try JSONFields.object(report.body)
    #expect(counters["counters", "analytics.events.sent"] == "2")
    #expect(counters["counters", "sampled.in.and.enabled"] == "1")
    #expect(counters["tags", "autocapture.enabled"] == #""none""#)
    #expect(counters["histogram"] == "{}" && counters["events"] == "[]")
  }

  @Test(arguments: [
    (#"{}"#, true), (#"{"enabled":false,"sampleRate":1}"#, true),
    (#"{"enabled":true,"sampleRate":0}"#, true), (#"{"sampleRate":1}"#, false),
  ])
  func `nothing is told unless the server asks for it`(remote: String, isOn: Bool) async {
    let app = await app(remote, isOn: isOn)
    app.amplitude.track(eventType: "a")
    await app.client.flush()
    for _ in 0..<3 { await app.pass(300) }
    #expect(reports(app).isEmpty)
  }
}
