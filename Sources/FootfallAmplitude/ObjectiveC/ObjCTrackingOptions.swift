#if canImport(ObjectiveC)
public import Foundation

/// Which fields about app and device are sent: `AMPTrackingOptions`.
@objc(AMPTrackingOptions)
public final class ObjCTrackingOptions: NSObject, Sendable {
  let options: TrackingOptions

  /// Every field.
  @objc public override convenience init() { self.init(TrackingOptions()) }

  init(_ options: TrackingOptions) { self.options = options }

  /// As `TrackingOptions.disableTrackVersionName`.
  @objc @discardableResult public func disableTrackVersionName() -> ObjCTrackingOptions {
    options.disableTrackVersionName()
    return self
  }

  /// As `TrackingOptions.disableTrackOsName`.
  @objc @discardableResult public func disableTrackOsName() -> ObjCTrackingOptions {
    options.disableTrackOsName()
    return self
  }

  /// As `TrackingOptions.disableTrackOsVersion`.
  @objc @discardableResult public func disableTrackOsVersion() -> ObjCTrackingOptions {
    options.disableTrackOsVersion()
    return self
  }

  /// As `TrackingOptions.disableTrackDeviceManufacturer`.
  @objc @discardableResult public func disableTrackDeviceManufacturer() -> ObjCTrackingOptions {
    options.disableTrackDeviceManufacturer()
    return self
  }

  /// As `TrackingOptions.disableTrackDeviceModel`.
  @objc @discardableResult public func disableTrackDeviceModel() -> ObjCTrackingOptions {
    options.disableTrackDeviceModel()
    return self
  }

  /// As `TrackingOptions.disableTrackCarrier`.
  @objc @discardableResult public func disableTrackCarrier() -> ObjCTrackingOptions {
    options.disableTrackCarrier()
    return self
  }

  /// As `TrackingOptions.disableTrackIpAddress`.
  @objc @discardableResult public func disableTrackIpAddress() -> ObjCTrackingOptions {
    options.disableTrackIpAddress()
    return self
  }

  /// As `TrackingOptions.disableTrackCountry`.
  @objc @discardableResult public func disableTrackCountry() -> ObjCTrackingOptions {
    options.disableTrackCountry()
    return self
  }

  /// As `TrackingOptions.disableTrackCity`.
  @objc @discardableResult public func disableTrackCity() -> ObjCTrackingOptions {
    options.disableTrackCity()
    return self
  }

  /// As `TrackingOptions.disableTrackDMA`.
  @objc @discardableResult public func disableTrackDMA() -> ObjCTrackingOptions {
    options.disableTrackDMA()
    return self
  }

  /// As `TrackingOptions.disableTrackIDFV`.
  @objc @discardableResult public func disableTrackIDFV() -> ObjCTrackingOptions {
    options.disableTrackIDFV()
    return self
  }

  /// As `TrackingOptions.disableTrackLanguage`.
  @objc @discardableResult public func disableTrackLanguage() -> ObjCTrackingOptions {
    options.disableTrackLanguage()
    return self
  }

  /// As `TrackingOptions.disableTrackRegion`.
  @objc @discardableResult public func disableTrackRegion() -> ObjCTrackingOptions {
    options.disableTrackRegion()
    return self
  }

  /// As `TrackingOptions.disableTrackPlatform`.
  @objc @discardableResult public func disableTrackPlatform() -> ObjCTrackingOptions {
    options.disableTrackPlatform()
    return self
  }
}
#endif
