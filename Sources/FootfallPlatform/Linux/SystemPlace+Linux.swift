#if os(Linux)
import Foundation
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

extension SystemPlace {
  /// What the environment of the process and the machine's files say now.
  static var current: SystemPlace {
    var place = SystemPlace()
    place.locale = locale { variable($0) }
    place.language = language { variable($0) }
    place.timeZone = timeZone(variable: variable("TZ"), link: linkTarget(of: "/etc/localtime"))
    return place
  }

  /// The locale for messages, by POSIX's order of variables; nil for the portable `C`.
  ///
  /// Source: POSIX, "Base Definitions", section 8.2.
  static func locale(_ variable: (String) -> String?) -> String? {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      guard let value = variable(name), !value.isEmpty else { continue }
      let locale = String(value.prefix { $0 != "." && $0 != "@" })
      return locale == "C" || locale == "POSIX" ? nil : locale
    }
    return nil
  }

  /// The first language of GNU's list `LANGUAGE`, which counts where there is a locale at all; else
  /// the locale's.
  static func language(_ variable: (String) -> String?) -> String? {
    guard let locale = locale(variable) else { return nil }
    let listed = variable("LANGUAGE")?.split(separator: ":").first
    return listed.flatMap { SystemPlace.language(of: String($0)) } ?? language(of: locale)
  }

  /// The zone's name of `TZ` or else of the link that `/etc/localtime` is; nil if neither names one.
  ///
  /// A rule such as `CET-1CEST` is no name.
  static func timeZone(variable: String?, link: String?) -> String? {
    guard let path = variable.flatMap({ $0.isEmpty ? nil : $0 }) ?? link else { return nil }
    let name = path.drop { $0 == ":" }
    let mark = "zoneinfo/"
    if let folder = name.range(of: mark) { return String(name[folder.upperBound...]) }
    guard !name.hasPrefix("/"), name.contains("/") || name == "UTC" else { return nil }
    return String(name)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
#endif
