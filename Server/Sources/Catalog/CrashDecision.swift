/// What a team decided about crashes that have something in common.
public struct CrashDecision: Sendable, Hashable {
  /// What was decided.
  public enum State: String, Sendable, CaseIterable {
    /// Not to be seen.
    case hidden
    /// Mended.
    case resolved
  }

  /// What the crashes have in common: sixteen hexadecimal digits.
  public let signature: String
  /// What was decided.
  public let state: State
  /// When, in milliseconds since 1970.
  public let atMs: Int64
  /// The version in which it is mended; empty where nobody said.
  public let mended: String
  /// The newest version in which it had been seen until then; empty where that is not known.
  public let seen: String
  /// Who decided, see `Actor`.
  public let actor: String
}

extension Catalog {
  /// What was decided about a project's crashes, by signature.
  public func crashDecisions(project: UInt32) throws(CatalogError) -> [String: CrashDecision] {
    try read { (database) throws(CatalogError) in
      let rows = try database.rows(
        "SELECT signature, state, at, mended, seen, actor FROM crash_decisions WHERE project = ?",
        .integer(Int64(project))
      ) { row in
        CrashDecision(
          signature: row.text(0),
          state: CrashDecision.State(rawValue: row.text(1)) ?? .hidden,
          atMs: row.integer(2),
          mended: row.text(3),
          seen: row.text(4),
          actor: row.text(5)
        )
      }
      return Dictionary(rows.map { ($0.signature, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Decides about crashes of a signature; nil takes a decision back.
  ///
  /// - Parameters:
  ///   - state: What is decided.
  ///   - signature: Sixteen hexadecimal digits.
  ///   - mended: The version in which it is mended, up to 100 characters; empty for none in particular.
  ///   - seen: The newest version in which it was seen.
  ///   - project: The project's number.
  ///   - actor: Who decides.
  /// - Throws: `unknownProject`; `invalid` for a signature or version that is none.
  public func decideCrash(
    _ state: CrashDecision.State?,
    signature: String,
    mended: String = "",
    seen: String = "",
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    let isSignature =
      signature.utf8.count == 16
      && signature.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isSignature else {
      throw .invalid(field: "signature", reason: "A crash's signature has 16 hexadecimal digits.")
    }
    guard mended.count <= 100, !mended.contains("\0") else {
      throw .invalid(field: "version", reason: "A version has up to 100 characters.")
    }
    let now = clock.nowMs()
    try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      guard let state else {
        try database.run(
          "DELETE FROM crash_decisions WHERE project = ? AND signature = ?",
          .integer(Int64(project)),
          .text(signature)
        )
        return try note("crash.reopen", project: project, signature, by: actor, in: database)
      }
      try database.run(
        """
        INSERT OR REPLACE INTO crash_decisions
          (project, signature, state, at, mended, seen, actor) VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(Int64(project)),
        .text(signature),
        .text(state.rawValue),
        .integer(now),
        .text(mended),
        .text(String(seen.prefix(100))),
        .text(actor.description)
      )
      let version = mended.isEmpty ? "" : " in \(mended)"
      try note(
        "crash.decide",
        project: project,
        "\(signature) \(state.rawValue)\(version)",
        by: actor,
        in: database
      )
    }
  }
}
