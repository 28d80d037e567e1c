#if canImport(ObjectiveC)
public import Foundation

/// A plugin made of blocks: `AMPPlugin`; a block for each kind of event there is not.
@objc(AMPPlugin)
public final class ObjCPlugin: NSObject {
  let type: PluginType
  let setup: ((ObjCAmplitude) -> Void)?
  let execute: (ObjCBaseEvent) -> ObjCBaseEvent?
  let flush: (() -> Void)?

  private init(
    _ type: PluginType,
    _ setup: ((ObjCAmplitude) -> Void)?,
    _ execute: @escaping (ObjCBaseEvent) -> ObjCBaseEvent?,
    _ flush: (() -> Void)?
  ) {
    self.type = type
    self.setup = setup
    self.execute = execute
    self.flush = flush
  }

  /// A plugin that sees events, and may change or drop them.
  @objc(initWithType:execute:)
  public static func initWithType(
    _ type: PluginType,
    execute: @escaping (ObjCBaseEvent) -> ObjCBaseEvent?
  ) -> ObjCPlugin {
    ObjCPlugin(type, nil, execute, nil)
  }

  /// One that is set up, besides.
  @objc(initWithType:setup:execute:)
  public static func initWithType(
    _ type: PluginType,
    setup: @escaping (ObjCAmplitude) -> Void,
    execute: @escaping (ObjCBaseEvent) -> ObjCBaseEvent?
  ) -> ObjCPlugin {
    ObjCPlugin(type, setup, execute, nil)
  }

  /// One that hears of a flush, besides.
  @objc(initWithType:execute:flush:)
  public static func initWithType(
    _ type: PluginType,
    execute: @escaping (ObjCBaseEvent) -> ObjCBaseEvent?,
    flush: @escaping () -> Void
  ) -> ObjCPlugin {
    ObjCPlugin(type, nil, execute, flush)
  }

  /// One that is set up and hears of a flush, besides.
  @objc(initWithType:setup:execute:flush:)
  public static func initWithType(
    _ type: PluginType,
    setup: @escaping (ObjCAmplitude) -> Void,
    execute: @escaping (ObjCBaseEvent) -> ObjCBaseEvent?,
    flush: @escaping () -> Void
  ) -> ObjCPlugin {
    ObjCPlugin(type, setup, execute, flush)
  }

  /// A plugin that sees events, and may change or drop them.
  @objc(initWithType:execute:)
  public convenience init(
    type: PluginType,
    execute: @escaping (ObjCBaseEvent) -> ObjCBaseEvent?
  ) {
    self.init(type, nil, execute, nil)
  }

  /// One that is set up and hears of a flush, besides.
  @objc(initWithType:setup:execute:flush:)
  public convenience init(
    type: PluginType,
    setup: @escaping (ObjCAmplitude) -> Void,
    execute: @escaping (ObjCBaseEvent) -> ObjCBaseEvent?,
    flush: @escaping () -> Void
  ) {
    self.init(type, setup, execute, flush)
  }
}

/// A plugin of blocks as the client sees it.
final class ObjCPluginWrapper: EventPlugin {
  private weak var amplitude: ObjCAmplitude?
  private let plugin: ObjCPlugin
  let type: PluginType

  init(_ plugin: ObjCPlugin, of amplitude: ObjCAmplitude) {
    self.plugin = plugin
    self.amplitude = amplitude
    type = plugin.type
  }

  func setup(amplitude: Amplitude) {
    if let amplitude = self.amplitude { plugin.setup?(amplitude) }
  }

  func execute(event: BaseEvent) -> BaseEvent? { plugin.execute(ObjCBaseEvent(event))?.event }
  func track(event: BaseEvent) -> BaseEvent? { execute(event: event) }

  func identify(event: IdentifyEvent) -> IdentifyEvent? {
    execute(event: event) as? IdentifyEvent
  }

  func groupIdentify(event: GroupIdentifyEvent) -> GroupIdentifyEvent? {
    execute(event: event) as? GroupIdentifyEvent
  }

  func revenue(event: RevenueEvent) -> RevenueEvent? { execute(event: event) as? RevenueEvent }

  func flush() { plugin.flush?() }
}
#endif
