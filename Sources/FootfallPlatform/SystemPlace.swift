/// Which locale, language and time zone the user has set; nil where the system has none.
struct SystemPlace: Sendable, Equatable {
  /// As in `en_GB`.
  var locale: String?
  /// As in `en`.
  var language: String?
  /// As in `Europe/London`.
  var timeZone: String?

  /// The country in a locale's identifier: `GB` of `en_GB`, `CN` of `zh-Hans_CN@calendar=gregorian`.
  ///
  /// Two letters, as ISO 3166 has them; a region of the world such as `001` is no country.
  static func country(of locale: String) -> String? {
    let parts = parts(of: locale)
    let region = parts.dropFirst().first { part in
      part.utf8.count == 2 && part.allSatisfy { $0.isASCII && $0.isLetter }
    }
    return region.map { $0.uppercased() }
  }

  /// The language in a locale's or a language's identifier: `zh` of `zh-Hans-CN`.
  static func language(of locale: String) -> String? {
    guard let language = parts(of: locale).first, (2...8).contains(language.utf8.count),
      language.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return nil }
    return language.lowercased()
  }

  private static func parts(of locale: String) -> [Substring] {
    locale.prefix { $0 != "@" && $0 != "." }.split { $0 == "_" || $0 == "-" }
  }
}
