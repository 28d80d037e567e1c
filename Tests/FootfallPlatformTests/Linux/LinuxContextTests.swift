#if os(Linux)
import Testing

@testable import FootfallPlatform

@Suite struct `Device context on Linux` {
  @Test(
    arguments: [
      ("NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n", "Debian GNU/Linux", "12"),
      ("NAME=Fedora\nID=fedora\n", "Fedora", nil),
      ("# nothing\nVERSION_ID=1\n", nil, nil),
      ("", nil, nil),
    ] as [(String, String?, String?)]
  )
  func `the system's name is read from os-release`(text: String, name: String?, version: String?) {
    let release = DeviceContext.osRelease(text)
    #expect(release.name == name)
    #expect(release.version == version)
  }

  @Test(
    arguments: [
      (["LANG": "en_GB.UTF-8"], "en_GB", "en"),
      (["LANG": "en_GB.UTF-8", "LC_ALL": "de_AT@euro"], "de_AT", "de"),
      (["LANG": "en_GB", "LC_MESSAGES": "fr_FR"], "fr_FR", "fr"),
      (["LANG": "en_GB", "LC_ALL": ""], "en_GB", "en"),
      (["LANG": "en_GB", "LANGUAGE": "pt_BR:en"], "en_GB", "pt"),
      (["LANG": "C.UTF-8", "LANGUAGE": "pt_BR"], nil, nil),
      (["LC_ALL": "POSIX", "LANG": "en_GB"], nil, nil),
      ([:], nil, nil),
    ] as [([String: String], String?, String?)]
  )
  func `the variables say locale and language`(
    variables: [String: String],
    locale: String?,
    language: String?
  ) {
    #expect(SystemPlace.locale { variables[$0] } == locale)
    #expect(SystemPlace.language { variables[$0] } == language)
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "/usr/share/zoneinfo/Etc/UTC", "Europe/Berlin"),
      (":Asia/Tokyo", nil, "Asia/Tokyo"),
      ("/usr/share/zoneinfo/America/New_York", nil, "America/New_York"),
      (nil, "../usr/share/zoneinfo/Europe/London", "Europe/London"),
      ("", "/usr/share/zoneinfo/Etc/UTC", "Etc/UTC"),
      ("UTC", nil, "UTC"), ("CET-1CEST", nil, nil), ("/etc/own", nil, nil), (nil, nil, nil),
    ] as [(String?, String?, String?)]
  )
  func `the zone's name comes from TZ or the link`(variable: String?, link: String?, name: String?)
  {
    #expect(SystemPlace.timeZone(variable: variable, link: link) == name)
  }
}
#endif
