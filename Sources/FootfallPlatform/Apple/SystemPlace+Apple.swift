#if canImport(Darwin)
import Foundation

extension SystemPlace {
  /// What the user has set in the system now.
  static var current: SystemPlace {
    var place = SystemPlace()
    place.locale = Locale.autoupdatingCurrent.identifier
    place.language = Locale.preferredLanguages.first.flatMap { language(of: $0) }
    place.timeZone = TimeZone.autoupdatingCurrent.identifier
    return place
  }
}
#endif
