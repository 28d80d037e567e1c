/// What a server answered to the question for its configuration: the settings and which they are.
package struct RemoteDocument: Sendable, Equatable {
  /// The settings; nulls are removed, since a null says nothing.
  package var content: Properties
  /// Which version of the settings the server calls this, if it says so.
  package var version: Int64?
  /// The server's `ETag` for it, to ask whether it still holds.
  package var entityTag: String?

  /// A document of settings.
  package init(content: Properties, version: Int64? = nil, entityTag: String? = nil) {
    self.content = content.withoutNulls
    self.version = version
    self.entityTag = entityTag
  }

  /// The most bytes of an answer that are taken; 256 KiB.
  ///
  /// Footfall's server keeps at most 64 KiB for a project; Amplitude's answers are a few.
  package static let maxBytes = 256 << 10
  /// The most levels of an answer that are taken.
  ///
  /// The deepest documented answer, Amplitude's capture rules, has 8.
  package static let maxDepth = 16

  /// Reads an answer such as `{"config":{…},"version":3}`.
  ///
  /// - Parameters:
  ///   - body: The answer's body.
  ///   - member: The member that holds the settings, as in `config`; it must be an object.
  ///   - entityTag: The answer's `ETag`.
  /// - Throws: Why the answer is none.
  package init(
    body: [UInt8],
    member: String,
    entityTag: String? = nil
  ) throws(RemoteDocumentError) {
    let value: PropertyValue
    do throws(JSONReader.Failure) {
      value = try JSONReader.read(body, maxBytes: Self.maxBytes, maxDepth: Self.maxDepth)
    } catch {
      throw .unreadable(error)
    }
    guard case .object(let answer) = value, case .object(let content)? = answer[member] else {
      throw .noSettings(member)
    }
    var version: Int64?
    if case .integer(let number)? = answer["version"] { version = number }
    self.init(content: content, version: version, entityTag: entityTag)
  }
}

/// Why an answer is no configuration.
package enum RemoteDocumentError: Error, Sendable, Equatable, CustomStringConvertible {
  /// It is no JSON, too large or too deep.
  case unreadable(JSONReader.Failure)
  /// It has no object under this name.
  case noSettings(String)

  /// A sentence for the log, without anything of the answer's content.
  package var description: String {
    switch self {
    case .unreadable(.tooLarge): "The answer has more than \(RemoteDocument.maxBytes) bytes."
    case .unreadable(.tooDeep): "The answer has more than \(RemoteDocument.maxDepth) levels."
    case .unreadable(.malformed(let position)): "The answer is no JSON (byte \(position))."
    case .noSettings(let member): "The answer has no object “\(member)”."
    }
  }
}

extension Properties {
  /// The same without nulls, on every level.
  package var withoutNulls: Properties {
    let kept = compactMap { pair -> (String, PropertyValue)? in
      pair.value.withoutNulls.map { (pair.key, $0) }
    }
    return Properties(pairs: kept)
  }

  /// The value at the end of a path through objects; nil where the path ends earlier.
  package func value(at path: some Sequence<some StringProtocol>) -> PropertyValue? {
    var value = PropertyValue.object(self)
    for key in path {
      guard case .object(let properties) = value, let next = properties[String(key)] else {
        return nil
      }
      value = next
    }
    return value
  }
}

extension PropertyValue {
  fileprivate var withoutNulls: PropertyValue? {
    switch self {
    case .null: nil
    case .object(let properties): .object(properties.withoutNulls)
    case .array(let values): .array(values.compactMap(\.withoutNulls))
    case .string, .integer, .double, .boolean: self
    }
  }
}
