#if canImport(ObjectiveC)
public import Foundation

/// What is captured without a call: `AMPAutocaptureOptions`.
@objc(AMPAutocaptureOptions)
public final class ObjCAutocaptureOptions: NSObject, Sendable {
  let options: AutocaptureOptions

  init(_ options: AutocaptureOptions) { self.options = options }

  /// Nothing.
  @objc public override convenience init() { self.init(AutocaptureOptions()) }

  /// All that is in one of these.
  @objc(initWithOptionsToUnion:)
  public convenience init(optionsToUnion: [ObjCAutocaptureOptions]) {
    self.init(optionsToUnion.reduce(into: AutocaptureOptions()) { $0.formUnion($1.options) })
  }

  /// As `AutocaptureOptions.sessions`.
  @objc public static let sessions = ObjCAutocaptureOptions(.sessions)
  /// As `AutocaptureOptions.appLifecycles`.
  @objc public static let appLifecycles = ObjCAutocaptureOptions(.appLifecycles)
  /// As `AutocaptureOptions.screenViews`.
  @objc public static let screenViews = ObjCAutocaptureOptions(.screenViews)
  /// As `AutocaptureOptions.elementInteractions`.
  @objc public static let elementInteractions = ObjCAutocaptureOptions(.elementInteractions)
  /// As `AutocaptureOptions.networkTracking`.
  @objc public static let networkTracking = ObjCAutocaptureOptions(.networkTracking)
  /// As `AutocaptureOptions.frustrationInteractions`.
  @objc public static let frustrationInteractions = ObjCAutocaptureOptions(.frustrationInteractions)
  /// As `AutocaptureOptions.all`.
  @objc public static let all = ObjCAutocaptureOptions(.all)

  /// Whether all that is in another one is in this.
  @objc(contains:) public func contains(_ option: ObjCAutocaptureOptions) -> Bool {
    options.contains(option.options)
  }

  /// What is in this or another one.
  @objc(union:) public func union(_ option: ObjCAutocaptureOptions) -> ObjCAutocaptureOptions {
    ObjCAutocaptureOptions(options.union(option.options))
  }

  /// Equal when the same is captured.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? ObjCAutocaptureOptions)?.options == options
  }

  /// The same for what is equal.
  public override var hash: Int { options.rawValue }
}
#endif
