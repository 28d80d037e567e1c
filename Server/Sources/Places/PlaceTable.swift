internal import FootfallSystem
internal import Foundation

/// Where addresses are, by a file that an operator gives and replaces now and then.
///
/// ```swift
/// let places = try PlaceTable(path: "/var/lib/GeoLite2-City.mmdb", copy: "data/places.mmdb")
/// places.place(of: "203.0.113.7")?.country
/// ```
///
/// Any thread may ask; `refresh` is for one thread at a time.
public final class PlaceTable: Sendable {
  /// What a file is.
  public struct Description: Sendable, Hashable {
    /// What it says it is, such as `GeoLite2-City`.
    public let kind: String
    /// When it was made, in seconds since 1970.
    public let builtAtSeconds: Int64
  }

  /// What tells a file from another one of its name.
  private struct Version: Equatable {
    let number: UInt64
    let bytes: UInt64
    let changedAt: Date
  }

  private struct State {
    var file: PlaceFile
    var version: Version
  }

  /// The operator's file.
  public let path: String
  private let copy: String
  private let state: Lock<State>

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file, in MaxMind's format.
  ///   - copy: Where a copy of it may be made for the moment in which it is opened: what is being read must
  ///     not change, and some programs write into the file that is there.
  /// - Throws: `PlaceProblem`, with the path and what to do.
  public init(path: String, copy: String) throws(PlaceProblem) {
    self.path = path
    self.copy = copy
    let version = try Self.version(path)
    state = Lock(State(file: try Self.open(path, copy: copy), version: version))
  }

  /// Where an address is; nil for one that the file does not have.
  public func place(of address: String) -> Place? {
    state.withLock { $0.file }.place(of: address)
  }

  /// What the file in use is.
  public var description: Description {
    let file = state.withLock { $0.file }
    return Description(kind: file.kind, builtAtSeconds: file.builtAtSeconds)
  }

  /// Takes the operator's file again if it changed.
  ///
  /// - Returns: Whether it did.
  /// - Throws: `PlaceProblem` when there is none, or none that can be read; the one before stays in use.
  @discardableResult
  public func refresh() throws(PlaceProblem) -> Bool {
    let version = try Self.version(path)
    guard state.withLock({ $0.version }) != version else { return false }
    let file = try Self.open(path, copy: copy)
    state.withLock { $0 = State(file: file, version: version) }
    return true
  }

  private static func version(_ path: String) throws(PlaceProblem) -> Version {
    do {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      )
      return Version(
        number: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
        bytes: (attributes[.size] as? NSNumber)?.uint64Value ?? 0,
        changedAt: attributes[.modificationDate] as? Date ?? .distantPast
      )
    } catch {
      throw problem(path, error.localizedDescription)
    }
  }

  private static func open(_ path: String, copy: String) throws(PlaceProblem) -> PlaceFile {
    do {
      let files = FileManager.default
      if files.fileExists(atPath: copy) { try files.removeItem(atPath: copy) }
      try files.copyItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path,
        toPath: copy
      )
      let file = try PlaceFile(copy)
      // What is mapped stays until it is given back.
      try files.removeItem(atPath: copy)
      return file
    } catch let error as PlaceProblem {
      throw problem(path, error.description)
    } catch {
      throw problem(path, error.localizedDescription)
    }
  }

  private static func problem(_ path: String, _ reason: String) -> PlaceProblem {
    PlaceProblem(
      "The file of places \(path) cannot be used: \(reason) Give one in MaxMind's format (.mmdb), such as GeoLite2-City or DB-IP City Lite."
    )
  }
}
