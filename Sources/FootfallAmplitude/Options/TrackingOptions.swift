import FootfallCore
import FootfallSystem

/// Which fields about app and device events carry without being told.
///
/// All of them unless one is switched off. Every `disableTrack…` returns the object, so calls chain. Give
/// each configuration its own object, before its client is made; a client reads it once. Any thread.
public final class TrackingOptions: Sendable {
  private let disabled = Lock<Set<ContextField>>([])

  /// Every field is collected.
  public init() {}

  /// The fields that are switched off.
  var withheld: Set<ContextField> { disabled.withLock { $0 } }

  private func disable(_ field: ContextField) -> TrackingOptions {
    disabled.withLock { _ = $0.insert(field) }
    return self
  }

  private func tracks(_ field: ContextField) -> Bool {
    disabled.withLock { !$0.contains(field) }
  }

  /// Switches off what is not to be known of children: vendor's and advertisers' ids, address, place.
  func protectChildren() {
    disabled.withLock { $0.formUnion([.vendorID, .advertisingID, .ip, .city]) }
  }

  /// The same choices in an object of its own.
  func copy() -> TrackingOptions {
    let other = TrackingOptions()
    let choices = withheld
    other.disabled.withLock { $0 = choices }
    return other
  }

  /// Leaves out `version_name`.
  @discardableResult public func disableTrackVersionName() -> TrackingOptions {
    disable(.appVersion)
  }
  /// Whether `version_name` is sent.
  public func shouldTrackVersionName() -> Bool { tracks(.appVersion) }

  /// Leaves out `os_name`.
  @discardableResult public func disableTrackOsName() -> TrackingOptions { disable(.osName) }
  /// Whether `os_name` is sent.
  public func shouldTrackOsName() -> Bool { tracks(.osName) }

  /// Leaves out `os_version`.
  @discardableResult public func disableTrackOsVersion() -> TrackingOptions {
    disable(.osVersion)
  }
  /// Whether `os_version` is sent.
  public func shouldTrackOsVersion() -> Bool { tracks(.osVersion) }

  /// Leaves out `device_manufacturer`.
  @discardableResult public func disableTrackDeviceManufacturer() -> TrackingOptions {
    disable(.manufacturer)
  }
  /// Whether `device_manufacturer` is sent.
  public func shouldTrackDeviceManufacturer() -> Bool { tracks(.manufacturer) }

  /// Leaves out `device_model`.
  @discardableResult public func disableTrackDeviceModel() -> TrackingOptions { disable(.model) }
  /// Whether `device_model` is sent.
  public func shouldTrackDeviceModel() -> Bool { tracks(.model) }

  /// Leaves out `carrier`.
  @discardableResult public func disableTrackCarrier() -> TrackingOptions { disable(.carrier) }
  /// Whether `carrier` is sent.
  public func shouldTrackCarrier() -> Bool { tracks(.carrier) }

  /// Leaves out `ip`, so that the server derives no place; the locale's country is sent instead.
  @discardableResult public func disableTrackIpAddress() -> TrackingOptions { disable(.ip) }
  /// Whether `ip` is sent.
  public func shouldTrackIpAddress() -> Bool { tracks(.ip) }

  /// Leaves out `country`, which is sent only where the address is not.
  @discardableResult public func disableTrackCountry() -> TrackingOptions { disable(.country) }
  /// Whether `country` is sent where the address is not.
  public func shouldTrackCountry() -> Bool { tracks(.country) }

  /// Changes nothing: the library never knows the city.
  @discardableResult public func disableTrackCity() -> TrackingOptions { disable(.city) }
  /// Whether `disableTrackCity()` was not called.
  public func shouldTrackCity() -> Bool { tracks(.city) }

  /// Changes nothing: the library never knows the market area.
  @discardableResult public func disableTrackDMA() -> TrackingOptions { disable(.marketArea) }
  /// Whether `disableTrackDMA()` was not called.
  public func shouldTrackDMA() -> Bool { tracks(.marketArea) }

  /// Leaves out `idfv`, which also does not become the device's id.
  @discardableResult public func disableTrackIDFV() -> TrackingOptions { disable(.vendorID) }
  /// Whether `idfv` is sent.
  public func shouldTrackIDFV() -> Bool { tracks(.vendorID) }

  /// Leaves out `language`.
  @discardableResult public func disableTrackLanguage() -> TrackingOptions { disable(.language) }
  /// Whether `language` is sent.
  public func shouldTrackLanguage() -> Bool { tracks(.language) }

  /// Changes nothing: the library never knows the region.
  @discardableResult public func disableTrackRegion() -> TrackingOptions { disable(.region) }
  /// Whether `disableTrackRegion()` was not called.
  public func shouldTrackRegion() -> Bool { tracks(.region) }

  /// Leaves out `platform`.
  @discardableResult public func disableTrackPlatform() -> TrackingOptions { disable(.platform) }
  /// Whether `platform` is sent.
  public func shouldTrackPlatform() -> Bool { tracks(.platform) }
}
