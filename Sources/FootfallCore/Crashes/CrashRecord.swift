/// What is kept of a crash for the next launch, which tells of it.
///
/// Nothing in it is as the exception had it unless it may be: the reason is redacted and the stack
/// cut before either reaches a disk. Source: `simpledatalogs.md` section 6.
package struct CrashRecord: Sendable, Equatable {
  /// The event's id, which it keeps however often it is sent.
  package var id: String
  /// When it happened, in milliseconds since 1970.
  package var milliseconds: Int64
  /// The exception's kind.
  package var name: String
  /// What it said; empty if it said nothing.
  package var reason: String
  /// The calls that led to it, one on a line.
  package var stack: String

  /// The longest reason, in characters.
  ///
  /// Source: `simpledatalogs.md` section 6.
  package static let reasonCharacters = 4_000
  /// The most calls of a stack that are kept.
  ///
  /// Source: `simpledatalogs.md` section 6.
  package static let frames = 64

  /// What is kept of an exception.
  ///
  /// - Parameters:
  ///   - exception: The exception.
  ///   - redaction: What is taken out of its reason; nil for nothing.
  ///   - id: The id of the event to come.
  ///   - milliseconds: The time, since 1970.
  package init(
    _ exception: RaisedException,
    redaction: ReasonRedaction?,
    id: String,
    milliseconds: Int64
  ) {
    self.id = id
    self.milliseconds = milliseconds
    name = exception.name
    let said = exception.reason ?? ""
    reason = redaction?.redact(said) ?? String(said.prefix(Self.reasonCharacters))
    stack = exception.frames.prefix(Self.frames).map(PathScanner.shortened)
      .joined(separator: "\n")
  }

  /// The same with what is asked for now taken out of the reason too.
  package func redacted(_ redaction: ReasonRedaction?) -> CrashRecord {
    guard let redaction else { return self }
    var record = self
    record.reason = redaction.redact(reason)
    return record
  }

  /// The event that tells of it.
  package func content(_ name: EventName) -> EventContent {
    EventContent(
      name,
      [
        "exception_name": .string(self.name), "reason": .string(reason), "stack": .string(stack),
      ]
    )
  }
}

// MARK: - In a file

extension CrashRecord {
  /// The largest file that is read, in bytes; a record of the longest parts is far smaller.
  private static let maxBytes = 262_144

  /// The record as it is in a file.
  package var bytes: [UInt8] {
    var buffer = JSONBuffer()
    buffer.append("{\"id\":")
    buffer.append(quoted: id)
    buffer.append(",\"ms\":")
    buffer.append(milliseconds)
    buffer.append(",\"name\":")
    buffer.append(quoted: name)
    buffer.append(",\"reason\":")
    buffer.append(quoted: reason)
    buffer.append(",\"stack\":")
    buffer.append(quoted: stack)
    buffer.append("}")
    return buffer.bytes
  }

  /// The record of a file; nil for a file that was not written to its end, or by others.
  package init?(_ bytes: [UInt8]) {
    guard let values = Self.values(bytes), case .string(let id)? = values["id"], !id.isEmpty,
      case .integer(let milliseconds)? = values["ms"], case .string(let name)? = values["name"],
      case .string(let reason)? = values["reason"], case .string(let stack)? = values["stack"]
    else { return nil }
    self.id = id
    self.milliseconds = milliseconds
    self.name = name
    self.reason = reason
    self.stack = stack
  }

  private static func values(_ bytes: [UInt8]) -> Properties? {
    do throws(JSONReader.Failure) {
      let value = try JSONReader.read(bytes, maxBytes: maxBytes, maxDepth: 1)
      guard case .object(let values) = value else { return nil }
      return values
    } catch {
      // Said by whoever reads the file, with its name.
      return nil
    }
  }
}
