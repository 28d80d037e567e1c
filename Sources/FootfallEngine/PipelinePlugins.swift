import FootfallCore

/// The plugins of a client, by stage and in the order they joined.
///
/// A plugin that leaves or lets others join while it runs only leaves word in the inbox, so nothing
/// here changes while plugins run.
struct PipelinePlugins: Sendable {
  private(set) var before: [any Plugin] = []
  private(set) var enrichment: [any Plugin] = []
  private(set) var destination: [any Plugin] = []
  private var utility: [any Plugin] = []
  private var observe: [any Plugin] = []

  /// Puts a plugin at the end of its stage; one that is there already stays where it is.
  mutating func add(_ plugin: any Plugin) {
    let stage = Self.list(of: plugin.stage)
    guard !self[keyPath: stage].contains(where: { $0 === plugin }) else { return }
    self[keyPath: stage].append(plugin)
  }

  /// Takes this very plugin out, whatever stage it now says it is for.
  mutating func remove(_ plugin: any Plugin) {
    for stage in PluginStage.allCases {
      self[keyPath: Self.list(of: stage)].removeAll { $0 === plugin }
    }
  }

  /// Calls every plugin, in the order in which hooks are told.
  ///
  /// Source: `amplitude.md` section 2.9, "Hook delivery order".
  func forEach(_ body: (any Plugin) -> Void) {
    for plugin in before { body(plugin) }
    for plugin in enrichment { body(plugin) }
    for plugin in destination { body(plugin) }
    for plugin in utility { body(plugin) }
    for plugin in observe { body(plugin) }
  }

  private static func list(
    of stage: PluginStage
  ) -> WritableKeyPath<PipelinePlugins, [any Plugin]> {
    switch stage {
    case .before: \.before
    case .enrichment: \.enrichment
    case .destination: \.destination
    case .utility: \.utility
    case .observe: \.observe
    }
  }
}
