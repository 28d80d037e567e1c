import FootfallCore

/// The tracking plan that events are made after.
public struct Plan: Sendable, Hashable, Codable {
  /// The plan's branch.
  public var branch: String?
  /// Where the events are made, such as `ios`.
  public var source: String?
  /// The plan's version.
  public var version: String?
  /// The id of that version.
  public var versionId: String?

  /// A plan; what is not given is left out.
  public init(
    branch: String? = nil,
    source: String? = nil,
    version: String? = nil,
    versionId: String? = nil
  ) {
    self.branch = branch
    self.source = source
    self.version = version
    self.versionId = versionId
  }
}

/// Where events were taken in.
public struct IngestionMetadata: Sendable, Hashable, Codable {
  /// What took them in.
  public var sourceName: String?
  /// Its version.
  public var sourceVersion: String?

  /// Metadata; what is not given is left out.
  public init(sourceName: String? = nil, sourceVersion: String? = nil) {
    self.sourceName = sourceName
    self.sourceVersion = sourceVersion
  }

  private enum CodingKeys: String, CodingKey {
    case sourceName = "source_name"
    case sourceVersion = "source_version"
  }
}

// As they are on the wire. Source: `amplitude.md` section 1.4.
extension Plan {
  var property: PropertyValue {
    .texts([
      ("branch", branch), ("source", source), ("version", version), ("versionId", versionId),
    ])
  }

  init?(_ property: PropertyValue?) {
    guard case .object(let fields)? = property else { return nil }
    self.init(
      branch: fields.text("branch"),
      source: fields.text("source"),
      version: fields.text("version"),
      versionId: fields.text("versionId")
    )
  }
}

extension IngestionMetadata {
  var property: PropertyValue {
    .texts([("source_name", sourceName), ("source_version", sourceVersion)])
  }

  init?(_ property: PropertyValue?) {
    guard case .object(let fields)? = property else { return nil }
    self.init(
      sourceName: fields.text("source_name"),
      sourceVersion: fields.text("source_version")
    )
  }
}

extension PropertyValue {
  /// An object of the texts there are.
  fileprivate static func texts(_ fields: [(String, String?)]) -> PropertyValue {
    var object = Properties()
    for (key, text) in fields { object[key] = text.map { .string($0) } }
    return .object(object)
  }
}
