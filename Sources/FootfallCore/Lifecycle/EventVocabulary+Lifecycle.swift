extension EventVocabulary {
  /// The event that tells of the app.
  package func lifecycleEvent(_ effect: LifecycleCore.Effect) -> EventContent {
    switch effect {
    case .installed(let version): return EventContent(appInstalled, properties(of: version))
    case .updated(let version, let before):
      var properties = properties(of: version)
      if let text = before.version { properties[self.version.before] = .string(text) }
      if let text = before.build { properties[build.before] = .string(text) }
      return EventContent(appUpdated, properties)
    case .opened(let version, let isFromBackground):
      var properties = properties(of: version)
      properties[fromBackground] = .boolean(isFromBackground)
      return EventContent(appOpened, properties)
    case .backgrounded: return EventContent(appBackgrounded)
    }
  }

  private func properties(of version: AppVersion) -> Properties {
    var properties = Properties()
    if let text = version.version { properties[self.version.now] = .string(text) }
    if let text = version.build { properties[build.now] = .string(text) }
    return properties
  }
}
