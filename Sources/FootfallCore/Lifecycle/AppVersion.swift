/// Which version of the app runs, as far as that is known.
package struct AppVersion: Sendable, Equatable {
  /// The version that people see, as in `4.2.0`.
  package var version: String?
  /// The build, as in `881`.
  package var build: String?

  /// A version from its parts.
  package init(version: String? = nil, build: String? = nil) {
    self.version = version
    self.build = build
  }

  /// The version that events say, as far as they do.
  package init(_ context: EventContext) {
    if case .string(let text)? = context[.appVersion] { version = text }
    if case .string(let text)? = context[.build] { build = text }
  }
}
