import FootfallSystem

/// Plugins in the order in which events pass them: all of `before`, then all of `enrichment`.
///
/// A destination plugin has one of its own; those of a client stand in its pipeline. Any thread.
public final class Timeline: Sendable {
  private struct Held: @unchecked Sendable {
    // Sendable by the app's promise: its plugins are called on the client's own thread.
    var plugins: [any UniversalPlugin] = []
  }

  private let held = Lock(Held())

  /// No plugins.
  public init() {}

  private var all: [any UniversalPlugin] { held.withLock { $0 }.plugins }

  /// The event as the plugins leave it; nil if one drops it.
  public func process(event: BaseEvent) -> BaseEvent? {
    var event = event
    for type in [PluginType.before, .enrichment] {
      for plugin in all where plugin.stage == type {
        guard let changed = plugin.pass(event) else { return nil }
        event = changed
      }
    }
    return event
  }

  /// Puts a plugin at the end of its type; one that is there already stays where it is.
  public func add(plugin: any UniversalPlugin) {
    let box = Held(plugins: [plugin])
    held.withLock { held in
      guard !held.plugins.contains(where: { $0 === box.plugins[0] }) else { return }
      held.plugins += box.plugins
    }
  }

  /// Takes this very plugin out, and tears it down.
  public func remove(plugin: any UniversalPlugin) {
    let identity = ObjectIdentifier(plugin)
    let isThere = held.withLock { held in
      let before = held.plugins.count
      held.plugins.removeAll { ObjectIdentifier($0) == identity }
      return held.plugins.count < before
    }
    if isThere { plugin.teardown() }
  }

  /// The plugin of a name; nil if there is none.
  public func plugin(name: String) -> (any UniversalPlugin)? {
    all.first { $0.name == name }
  }

  /// Calls a closure with each plugin, types in their order.
  public func apply(_ closure: (any Plugin) -> Void) {
    let plugins = all
    for type in PluginType.allCases {
      for plugin in plugins where plugin.stage == type {
        if let plugin = plugin as? any Plugin { closure(plugin) }
      }
    }
  }
}

extension UniversalPlugin {
  /// Where it stands; a plugin for several products is one that enriches events.
  var stage: PluginType { (self as? any Plugin)?.type ?? .enrichment }

  /// Lets an event pass; nil if it is dropped.
  func pass(_ event: BaseEvent) -> BaseEvent? {
    if let plugin = self as? any Plugin { return plugin.execute(event: event) }
    var event = event
    execute(&event)
    return event
  }
}
