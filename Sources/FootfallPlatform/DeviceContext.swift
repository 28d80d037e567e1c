package import FootfallCore
import Foundation

/// What is said about the app and the device with every batch.
///
/// Nothing here identifies a person: no user's, host's or device's name is read. A missing value is
/// left out on the wire. `vendorID` alone tells devices apart; it is filled on Apple platforms only.
package struct DeviceContext: Sendable, Equatable {
  /// This library with its version, as in `footfall-swift/1.0.0`.
  package var library: String
  /// The family of operating system: `iOS`, `iPadOS`, `macOS`, `tvOS`, `watchOS`, `visionOS`, `Linux`.
  package var platform: String
  /// The operating system with its version, as in `iOS 19.1` or `Debian GNU/Linux 12`.
  package var os: String?
  /// The operating system's name alone, as in `iOS` or `Debian GNU/Linux`.
  package var osName: String?
  /// The operating system's version alone, as in `19.1`; the distribution's on Linux.
  package var osVersion: String?
  /// The maker's name of the model, as in `iPhone17,2`.
  ///
  /// None on Linux: a processor family is no model, and boards name themselves at random.
  package var model: String?
  /// Who made the device: `Apple`, or nothing where that is not known.
  package var manufacturer: String?
  /// The mobile network's name, where the system gives one (iOS before 16.4, with a SIM).
  package var carrier: String?
  /// The app's version, as in `4.2.0`.
  ///
  /// A Linux process has none unless it is configured.
  package var app: String?
  /// The app's build, as in `881`.
  package var build: String?
  /// The user's locale, as in `en_GB`.
  package var locale: String?
  /// The user's first preferred language, as in `en`.
  package var language: String?
  /// The time zone's name, as in `Europe/London`.
  package var timeZone: String?
  /// The country of the locale, as in `GB`.
  package var country: String?
  /// The system's id for the app's vendor on this device.
  package var vendorID: String?

  /// Makes a context of given values.
  package init(
    library: String = DeviceContext.libraryVersion,
    platform: String,
    os: String? = nil,
    model: String? = nil,
    app: String? = nil,
    build: String? = nil,
    locale: String? = nil
  ) {
    self.library = library
    self.platform = platform
    self.os = os
    self.model = model
    self.app = app
    self.build = build
    self.locale = locale
  }

  /// This library's name and version as told to the server.
  package static let libraryVersion = "footfall-swift/0.1.0"

  /// This app on this device, read once per process; `refreshed()` reads again what may change.
  package static let current = read()

  private static func read() -> DeviceContext {
    var context = DeviceContext(
      platform: systemPlatform,
      model: systemModel,
      app: AppBundle.text("CFBundleShortVersionString"),
      build: AppBundle.text("CFBundleVersion")
    )
    let system = systemRelease
    context.osName = system.name
    context.osVersion = system.version
    context.os = [system.name, system.version].compactMap(\.self).joined(separator: " ")
    context.manufacturer = systemManufacturer
    return context.refreshed()
  }

  /// The same context with what may change in a running process read again: locale, language,
  /// country and time zone.
  ///
  /// Any thread; takes some 50 µs, so read at the start, at the foreground and at a new session.
  package func refreshed() -> DeviceContext {
    let place = SystemPlace.current
    var context = self
    context.locale = place.locale
    context.language = place.language
    context.country = place.locale.flatMap { SystemPlace.country(of: $0) }
    context.timeZone = place.timeZone
    return context
  }
}

extension DeviceContext {
  /// The context as fields of an event; what is not known has no field, and a vendor's id that many
  /// devices share is none.
  ///
  /// What the app says of itself comes first by `appContext.filled(from: device.eventContext)`.
  package var eventContext: EventContext {
    let texts: [(ContextField, String?)] = [
      (.library, library), (.platform, platform), (.os, os), (.osName, osName),
      (.osVersion, osVersion), (.model, model), (.manufacturer, manufacturer),
      (.carrier, carrier), (.appVersion, app), (.build, build), (.locale, locale),
      (.language, language), (.timeZone, timeZone), (.country, country),
      (.vendorID, vendorID.flatMap { IdentityRules.isShared($0) ? nil : $0 }),
    ]
    var values: [ContextField: PropertyValue] = [:]
    for (field, text) in texts {
      if let text, !text.isEmpty { values[field] = .string(text) }
    }
    return EventContext(values)
  }
}
