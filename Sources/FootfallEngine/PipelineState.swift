package import FootfallCore

/// What the pipeline remembers from run to run.
package struct PipelineState: Sendable, Equatable {
  /// Whose the events are.
  package var identity: IdentityCore.State
  /// The open session.
  package var session: SessionState
  /// Every sequence number below this may have been used.
  package var sequenceCeiling: Int64
  /// The version of the app that ran last; nil if none is known.
  package var app: AppVersion?

  /// A state from its parts; without any, that of a fresh install.
  package init(
    identity: IdentityCore.State = IdentityCore.State(),
    session: SessionState = SessionState(),
    sequenceCeiling: Int64 = 1,
    app: AppVersion? = nil
  ) {
    self.identity = identity
    self.session = session
    self.sequenceCeiling = sequenceCeiling
    self.app = app
  }
}
