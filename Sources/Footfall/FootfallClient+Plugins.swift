public import FootfallCore
import FootfallEngine

// Code of the app's own that sees the events.
extension FootfallClient: PluginHost {
  /// Adds a plugin, for every event tracked after this call.
  ///
  /// Any thread. `Plugin.setUp(_:)` has run on this thread when the call returns; events tracked
  /// there are before the plugin's own time. The client keeps the plugin; a plugin that keeps its
  /// client keeps it weakly.
  ///
  /// - Parameter plugin: The plugin.
  /// - Returns: False, with nothing done but a line in the log, if this very plugin or another one of
  ///   the same name is there.
  @discardableResult
  public func add(_ plugin: any Plugin) -> Bool {
    guard roster.reserve(plugin) else {
      engine.note(
        "A plugin\(plugin.name.map { " named \($0)" } ?? "") is there already; not added."
      )
      return false
    }
    plugin.setUp(self)
    if !roster.join(plugin, then: { engine.change(.addPlugin(plugin)) }) { plugin.tearDown() }
    return true
  }

  /// Removes this very plugin; nothing happens if it is not there.
  ///
  /// Any thread; returns at once. Events tracked before still pass it, then `Plugin.tearDown()` is
  /// called.
  public func remove(_ plugin: any Plugin) {
    var isTaken = true
    roster.remove(plugin) { isTaken = engine.change(.removePlugin(plugin)) }
    if !isTaken { plugin.tearDown() }
  }

  /// The plugin of a name; nil if there is none.
  public func plugin(named name: String) -> (any Plugin)? {
    roster.plugins.first { $0.name == name }
  }

  /// The plugins, in the order they were added.
  public var plugins: [any Plugin] { roster.plugins }
}
