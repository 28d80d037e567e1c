import FootfallCore
import FootfallSystem

/// The plugins of a client as callers see them; the pipeline has its own list, in the order of events.
final class PluginRoster: Sendable {
  private struct Entry {
    let plugin: any Plugin
    let name: String?
    /// Whether the pipeline was told; until then it is being set up.
    var isJoined = false
  }

  private let entries = Lock<[Entry]>([])
  private let forks: ForkWatch.Registration

  /// An empty roster; made after the engine, so that a fork takes its lock, which is held while the
  /// engine's are taken, before those.
  init() {
    forks = ForkWatch.register(
      ForkWatch.Handlers(
        prepare: { [entries] in entries.holdForFork() },
        parent: { [entries] in entries.releaseInParent() },
        child: { [entries] in entries.renewInChild() }
      )
    )
  }

  deinit { forks.cancel() }

  /// The plugins, those being set up included.
  var plugins: [any Plugin] { entries.withLock { $0.map(\.plugin) } }

  /// Keeps a place for a plugin; false if it is there, or one of the same name.
  func reserve(_ plugin: any Plugin) -> Bool {
    // Asked once, before the lock: it is the app's own code.
    let name = plugin.name
    return entries.withLock { entries in
      let isThere = entries.contains { $0.plugin === plugin || name != nil && $0.name == name }
      if !isThere { entries.append(Entry(plugin: plugin, name: name)) }
      return !isThere
    }
  }

  /// Tells the pipeline of a plugin that is set up; false if it was removed meanwhile.
  func join(_ plugin: any Plugin, then tell: () -> Void) -> Bool {
    entries.withLock { entries in
      guard let place = entries.firstIndex(where: { $0.plugin === plugin }) else { return false }
      entries[place].isJoined = true
      tell()
      return true
    }
  }

  /// Takes out a plugin; the pipeline is told if it knows of it.
  func remove(_ plugin: any Plugin, then tell: () -> Void) {
    entries.withLock { entries in
      guard let place = entries.firstIndex(where: { $0.plugin === plugin }) else { return }
      if entries.remove(at: place).isJoined { tell() }
    }
  }
}
