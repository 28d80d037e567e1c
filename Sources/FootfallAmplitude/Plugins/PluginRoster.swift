import FootfallSystem

/// The plugins of a client as its callers see them.
final class PluginRoster: Sendable {
  private struct State: @unchecked Sendable {
    // Sendable by the document's promise, as in `PluginAdapter`.
    /// The library's own, which stand for what the pipeline does.
    var builtIn: [any UniversalPlugin] = [ContextPlugin(), AmplitudeDestinationPlugin()]
    var added: [PluginAdapter] = []
  }

  private let state = Lock(State())

  /// All of them, the library's own first.
  var all: [any UniversalPlugin] {
    let state = state.withLock { $0 }
    return state.builtIn + state.added.map(\.plugin)
  }

  /// Keeps a plugin; false if this very one is there.
  func add(_ adapter: PluginAdapter) -> Bool {
    state.withLock { state in
      guard !state.added.contains(where: { $0.plugin === adapter.plugin }) else { return false }
      state.added.append(adapter)
      return true
    }
  }

  /// Forgets a plugin that the client did not take.
  func remove(_ adapter: PluginAdapter) {
    state.withLock { state in state.added.removeAll { $0 === adapter } }
  }

  /// Forgets a plugin; nil if it was not there.
  func remove(_ plugin: any UniversalPlugin) -> PluginAdapter? {
    let identity = ObjectIdentifier(plugin)
    return state.withLock { state in
      let place = state.added.firstIndex { ObjectIdentifier($0.plugin) == identity }
      return place.map { state.added.remove(at: $0) }
    }
  }
}
