import HTTPServing
import Ingest
import Testing

@testable import ServerApp

@Suite struct `Server settings` {
  @Test func `a public address means a proxy on this machine, unless others are named`() {
    var settings = ServerSettings(data: DataFolder(path: "/nowhere"))
    #expect(settings.effectiveLimits.trustedProxies.isEmpty)
    settings.publicURL = "https://stats.example.com"
    let local = ["127.0.0.1", "::1"].compactMap(AddressRange.init)
    #expect(settings.effectiveLimits.trustedProxies == local)
    settings.limits.trustedProxies = ["10.0.0.0/8"].compactMap(AddressRange.init)
    #expect(settings.effectiveLimits.trustedProxies == settings.limits.trustedProxies)
  }

  @Test(
    arguments: [
      (nil, nil), ("https://stats.example.com", "stats.example.com"),
      ("http://localhost:8443/footfall", "localhost:8443"),
    ] as [(String?, String?)]
  )
  func `a public address names the host that AWS clients may have signed`(
    url: String?,
    host: String?
  ) {
    var settings = ServerSettings(data: DataFolder(path: "/nowhere"))
    settings.publicURL = url
    #expect(settings.effectiveIngest.publicHost == host)
  }
}
