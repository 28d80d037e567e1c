/// What someone who signs in, or a secret key, is trusted with.
public enum Role: String, Sendable, Hashable, CaseIterable {
  /// Everything, other people included.
  case owner
  /// Projects: their keys, rules and settings.
  case editor
  /// To look, and nothing else.
  case viewer

  /// Whether this role may do that.
  public func may(_ permission: Permission) -> Bool { permission.roles.contains(self) }
}

/// What pages and the API let people do: who may, as one table.
public enum Permission: String, Sendable, Hashable, CaseIterable {
  /// Look at events, people and charts.
  case viewEvents
  /// See which keys there are; public ones in full.
  case viewKeys
  /// See a project's name, rules and settings.
  case viewProject
  /// One's own password and sessions.
  case ownAccount
  /// Make, adopt, rotate and revoke keys.
  case manageKeys
  /// Change a project's name, time zone, retention, quota and the settings its apps get.
  case manageProject
  /// Arrange what is looked at: boards and their links, alerts, what is known of events and crashes.
  case manageBoards
  /// Ask in SQL, and keep statements.
  case runStatements
  /// Make a project.
  case createProject
  /// See who may sign in, add and remove people, change their roles, end their sessions.
  case manageUsers
  /// Read who changed what.
  case viewAudit
  /// See how the server is doing, load again what was set aside, copy all data.
  case operate
  /// Write events into files to take along.
  case exportEvents
  /// Add the events of files.
  case importEvents
  /// Erase events.
  case changeEvents

  /// The roles that may do it: the only place where that is said.
  public var roles: Set<Role> {
    switch self {
    case .viewEvents, .viewKeys, .viewProject, .ownAccount: [.owner, .editor, .viewer]
    case .manageKeys, .manageProject, .manageBoards, .runStatements, .exportEvents, .importEvents:
      [.owner, .editor]
    case .createProject, .manageUsers, .viewAudit, .operate, .changeEvents: [.owner]
    }
  }
}
