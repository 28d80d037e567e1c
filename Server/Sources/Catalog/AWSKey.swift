/// An access key of AWS clients, as their requests are checked with it.
public struct AWSKey: Sendable, Equatable {
  /// Its number among the catalogue's keys.
  public let keyID: Int64
  /// The project it belongs to.
  public let project: UInt32
  /// What requests are signed with; in memory only, never to be printed.
  public let secret: String
  /// What it may do.
  public let rights: AWSRights

  /// A key from its parts.
  public init(keyID: Int64, project: UInt32, secret: String, rights: AWSRights = .all) {
    self.keyID = keyID
    self.project = project
    self.secret = secret
    self.rights = rights
  }
}

extension AWSKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The key's number, without its secret.
  public var description: String { "AWS key \(keyID) of project \(project)" }

  /// As `description`.
  public var debugDescription: String { description }

  /// Nothing that a dump could show.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What an AWS key may do, and on what, in the words of AWS's policies.
public struct AWSRights: Sendable, Hashable {
  /// Patterns of actions such as `mobiletargeting:PutEvents`; `*` and `?` stand for any letters, and
  /// case does not count.
  public let actions: [String]
  /// Patterns of resources such as `apps/0123…*` or `stream/clicks`, also as whole ARNs, of which
  /// the last part counts.
  public let resources: [String]

  /// Everything that the key's project has.
  public static let all = AWSRights(actions: [], resources: [])

  /// Rights from patterns; an empty list allows all actions, or all resources.
  public init(actions: [String], resources: [String]) {
    self.actions = actions
    self.resources = resources.map(Self.resource)
  }

  /// Whether an action is allowed on one of the resources it concerns.
  public func allow(_ action: String, on resources: [String]) -> Bool {
    (actions.isEmpty || actions.contains { Self.matches($0.lowercased(), action.lowercased()) })
      && (self.resources.isEmpty
        || self.resources.contains { pattern in
          resources.contains { Self.matches(pattern, $0) }
        })
  }

  /// What stands behind the account in an ARN; any other text as it is.
  private static func resource(_ pattern: String) -> String {
    let parts = pattern.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
    return parts.count == 6 && parts[0] == "arn" ? String(parts[5]) : pattern
  }

  /// Whether a text fits a pattern in which `*` stands for any letters and `?` for any one.
  static func matches(_ pattern: String, _ text: String) -> Bool {
    let pattern = Array(pattern.utf8)
    let text = Array(text.utf8)
    var (place, start) = (0, 0)
    // Where to go back to when what follows the last star does not fit.
    var star: (next: Int, start: Int)?
    while start < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place + 1, start)
        place += 1
      } else if place < pattern.count,
        pattern[place] == UInt8(ascii: "?") || pattern[place] == text[start]
      {
        place += 1
        start += 1
      } else if let last = star {
        star = (last.next, last.start + 1)
        (place, start) = (last.next, last.start + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
