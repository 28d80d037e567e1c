import Footfall

// Code of the app's own that sees the events.
extension Amplitude {
  /// Adds a plugin, for every event tracked after this call.
  ///
  /// Its `setup` has run when the call returns. A plugin whose name is that of another one is not added.
  @discardableResult public func add(plugin: any UniversalPlugin) -> Amplitude {
    let adapter = PluginAdapter(plugin, of: self)
    if roster.add(adapter), !client.add(adapter) { roster.remove(adapter) }
    return self
  }

  /// Removes this very plugin, which is then torn down; nothing happens if it was not added.
  @discardableResult public func remove(plugin: any UniversalPlugin) -> Amplitude {
    if let adapter = roster.remove(plugin) { client.remove(adapter) }
    return self
  }

  /// The plugin of a name; nil if there is none.
  public func plugin(name: String) -> (any UniversalPlugin)? {
    roster.all.first { $0.name == name }
  }

  /// The plugins of a type, in the order they were added.
  public func plugins<T>(type: T.Type) -> [T] {
    roster.all.compactMap { $0 as? T }
  }

  /// Calls a closure with each plugin, the library's own first.
  public func apply(closure: (any Plugin) -> Void) {
    let plugins = roster.all.compactMap { $0 as? any Plugin }
    for type in PluginType.allCases {
      for plugin in plugins where plugin.type == type { closure(plugin) }
    }
  }
}
