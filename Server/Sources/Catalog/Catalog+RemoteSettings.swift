import Foundation

extension Catalog {
  /// The most bytes of a project's settings; 64 KiB.
  public static let maxRemoteSettingsBytes = 64 << 10
  /// The most objects and lists within each other in a project's settings, 1 for the outermost.
  ///
  /// The native client takes 16 levels, of which the answer around the settings is one.
  public static let maxRemoteSettingsDepth = 15

  /// What the apps of a project are told; an empty object, version 0, while nothing was ever set.
  ///
  /// A project that does not exist has none, too.
  public func remoteSettings(project: UInt32) throws(CatalogError) -> RemoteSettings {
    let found = try read { (database) throws(CatalogError) in
      try Self.remoteSettings(project: project, in: database)
    }
    return found ?? RemoteSettings(project: project, version: 0, document: "{}", changedAtMs: nil)
  }

  /// Replaces what the apps of a project are told.
  ///
  /// The version grows with every call, also when the text is the same, and never starts anew.
  ///
  /// - Parameters:
  ///   - document: A JSON object of up to 64 KiB and 15 levels; kept as it is but for blanks around
  ///     it.
  ///   - project: The project's number.
  ///   - actor: Who sets them.
  /// - Returns: The settings from now on.
  /// - Throws: `unknownProject`; `invalid` for a text that is no such object.
  @discardableResult
  public func setRemoteSettings(
    _ document: String,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> RemoteSettings {
    let document = try Self.checkedSettings(document)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      let last = try Self.remoteSettings(project: project, in: database)?.version ?? 0
      try database.run(
        """
        INSERT OR REPLACE INTO remote_settings (project, version, document, changed_at)
        VALUES (?, ?, ?, ?)
        """,
        .integer(Int64(project)),
        .integer(last + 1),
        .text(document),
        .integer(now)
      )
      try note(
        "project.config",
        project: project,
        "version \(last + 1), \(Counted.text(document.utf8.count, "byte"))",
        by: actor,
        in: database
      )
      return RemoteSettings(
        project: project,
        version: last + 1,
        document: document,
        changedAtMs: now
      )
    }
  }

  private static func remoteSettings(
    project: UInt32,
    in database: Database
  ) throws(CatalogError) -> RemoteSettings? {
    try database.rows(
      "SELECT version, document, changed_at FROM remote_settings WHERE project = ?",
      .integer(Int64(project))
    ) { row in
      RemoteSettings(
        project: project,
        version: row.integer(0),
        document: row.text(1),
        changedAtMs: row.integer(2)
      )
    }.first
  }

  private static func checkedSettings(_ text: String) throws(CatalogError) -> String {
    func refusal(_ reason: String) -> CatalogError { .invalid(field: "config", reason: reason) }
    guard text.utf8.count <= maxRemoteSettingsBytes else {
      throw refusal("A project's settings have at most \(maxRemoteSettingsBytes) bytes.")
    }
    let document = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // A decoder may guess other encodings from the first bytes; what is sent must be plain JSON.
    guard document.utf8.first == UInt8(ascii: "{"), !document.utf8.contains(0) else {
      throw refusal("A project's settings are a JSON object.")
    }
    do {
      _ = try JSONSerialization.jsonObject(with: Data(document.utf8))
    } catch {
      throw refusal("A project's settings are a JSON object; this text is no JSON.")
    }
    let shape = shape(ofJSON: document)
    guard !shape.hasSpareComma else {
      throw refusal("A project's settings have a comma at the end of an object or list.")
    }
    guard shape.depth <= maxRemoteSettingsDepth else {
      throw refusal("A project's settings have at most \(maxRemoteSettingsDepth) levels.")
    }
    return document
  }

  /// The levels of a JSON text, and whether it has a comma before a closing sign, which the
  /// system's reader lets pass and clients refuse.
  private static func shape(ofJSON text: String) -> (depth: Int, hasSpareComma: Bool) {
    var (depth, deepest, hasSpareComma) = (0, 0, false)
    var (isText, isEscaped) = (false, false)
    var last: UInt8 = 0
    for byte in text.utf8 where byte > 0x20 || isText {
      if isText {
        if !isEscaped, byte == UInt8(ascii: "\"") { isText = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          hasSpareComma = hasSpareComma || last == UInt8(ascii: ",")
        default: break
        }
      }
      last = isText ? 0 : byte
    }
    return (deepest, hasSpareComma)
  }
}
