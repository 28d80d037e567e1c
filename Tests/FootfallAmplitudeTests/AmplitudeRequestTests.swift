import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: requests` {
  let world = AmplitudeWorld()

  /// A compressor whose work can be seen.
  private let marking = Gzip { [0x1f, 0x8b] + $0 }

  private func request(
    _ endpoint: AmplitudeEndpoint,
    gzip: Gzip = .none
  ) async -> UploadRequest? {
    let world = AmplitudeWorld()
    let engine = world.engine(endpoint: endpoint, gzip: gzip)
    engine.track("a")
    _ = await engine.flush()
    return world.script.requests.first
  }

  private func encoding(_ request: UploadRequest?) -> String? {
    request?.headers.first { $0.name == "Content-Encoding" }?.value
  }

  @Test(arguments: [
    (AmplitudeEndpoint(), "https://api2.amplitude.com/2/httpapi"),
    (AmplitudeEndpoint(usesBatch: true), "https://api2.amplitude.com/batch"),
    (AmplitudeEndpoint(zone: .eu), "https://api.eu.amplitude.com/2/httpapi"),
    (AmplitudeEndpoint(zone: .eu, usesBatch: true), "https://api.eu.amplitude.com/batch"),
    (
      AmplitudeEndpoint(zone: .eu, usesBatch: true, serverURL: "https://collect.example.com/x"),
      "https://collect.example.com/x"
    ),
    (AmplitudeEndpoint(serverURL: ""), "https://api2.amplitude.com/2/httpapi"),
  ])
  func `AMP-D19: zone and path make the address, and one's own wins`(
    endpoint: AmplitudeEndpoint,
    url: String
  ) async {
    #expect(await request(endpoint)?.url == url)
  }

  @Test func `AMP-D20: bodies are compressed for the service, for others on demand`() async {
    let own = "https://collect.example.com"
    let plain = AmplitudeEndpoint(serverURL: own)
    let compressed = AmplitudeEndpoint(serverURL: own, compressesForServerURL: true)
    #expect(encoding(await request(AmplitudeEndpoint(), gzip: marking)) == "gzip")
    #expect(encoding(await request(plain, gzip: marking)) == nil)
    #expect(encoding(await request(compressed, gzip: marking)) == "gzip")
    #expect(await request(plain, gzip: marking)?.body.first == UInt8(ascii: "{"))
  }

  @Test func `AMP-D48: a compressed body inflates to the documented JSON`() async throws {
    let request = try #require(
      await request(AmplitudeEndpoint(), gzip: .system(log: .silent))
    )
    #expect(encoding(request) == "gzip")
    let body = try JSONDecoder().decode(SentBody.self, from: Data(Gunzip.unpack(request.body)))
    #expect(body.api_key == "KEY")
    #expect(body.client_upload_time == "2025-12-01T09:30:00.123Z")
    #expect(body.events.map(\.event_type) == ["a"])
  }

  @Test func `headers and time limit are those of the client`() async {
    let request = await request(AmplitudeEndpoint())
    #expect(
      request?.headers.map { "\($0.name): \($0.value)" } == [
        "Content-Type: application/json; charset=utf-8", "Accept: application/json",
      ]
    )
    #expect(request?.timeoutSeconds == 60)
  }
}
