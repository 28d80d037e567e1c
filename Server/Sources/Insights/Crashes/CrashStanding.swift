/// How a group of crashes stands, by what was decided about it and what came since.
public enum CrashStanding: Sendable, Hashable {
  /// Nobody decided anything.
  case open
  /// Somebody does not want to see it.
  case hidden
  /// Said to be mended; what came since is of versions before that.
  case resolved
  /// Said to be mended, but it came in this version, which is not older than the mended one.
  case cameBack(version: String)

  /// What was decided about a group of crashes.
  public enum Decision: Sendable, Hashable {
    /// Not to be seen.
    case hidden
    /// Mended at that time (milliseconds since 1970), in a version that somebody named, or after the
    /// newest one in which it had been seen; both are empty where nobody knows.
    case resolved(atMs: Int64, mended: String, seen: String)
  }

  /// How a group stands.
  ///
  /// Old versions go on crashing on phones that were not updated: only a crash after the decision, in the
  /// mended version or one newer than all before, means that it came back.
  public init(_ decision: Decision?, of group: Crashes.Group) {
    switch decision {
    case nil: self = .open
    case .hidden: self = .hidden
    case .resolved(let atMs, let mended, let seen):
      let back = group.versions.first { version in
        guard version.lastMs > atMs else { return false }
        let found = AppVersion(version.version)
        if !mended.isEmpty { return found >= AppVersion(mended) }
        return seen.isEmpty || found > AppVersion(seen)
      }
      self = back.map { .cameBack(version: $0.version) } ?? .resolved
    }
  }

  /// Whether it is one of those to look at.
  public var needsWork: Bool {
    switch self {
    case .open, .cameBack: true
    case .hidden, .resolved: false
    }
  }
}

/// An app's version, compared part by part: numbers by their value, so that 4.10 comes after 4.9.
public struct AppVersion: Sendable, Comparable {
  private enum Part: Hashable {
    case number(Int)
    case text(String)
  }

  private let parts: [Part]

  /// Reads a version such as `4.2.0` or `5.0-beta.2`.
  public init(_ text: String) {
    var parts = text.split(whereSeparator: { ".-+ ()".contains($0) }).map { part in
      Int(part).map(Part.number) ?? .text(part.lowercased())
    }
    // 4.2 and 4.2.0 are the same version.
    while parts.last == .number(0) { parts.removeLast() }
    self.parts = parts
  }

  /// Earlier versions first; what ends sooner is earlier, unless the rest is a word: 5.0-beta is before 5.0.
  public static func < (a: AppVersion, b: AppVersion) -> Bool {
    for index in 0..<max(a.parts.count, b.parts.count) {
      // 4.2 and 4.2.0 are the same.
      let left = index < a.parts.count ? a.parts[index] : .number(0)
      let right = index < b.parts.count ? b.parts[index] : .number(0)
      if left == right { continue }
      switch (left, right) {
      case (.number(let x), .number(let y)): return x < y
      case (.text(let x), .text(let y)): return x < y
      case (.text, .number): return true
      case (.number, .text): return false
      }
    }
    return false
  }
}
