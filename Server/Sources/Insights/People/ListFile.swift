import EventRecord
public import EventStore

/// A file that lists users and devices: CSV with a line of names, or lines of JSON, gzip or not.
///
/// Read are columns `user_id` and `device_id`; or, as Amazon Pinpoint writes endpoints, `Id` for the
/// device and `User.UserId` for the user. A line that cannot be read is told and stops nothing.
public struct ListFile: Sendable {
  /// Why a file as a whole is none.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, as a sentence.
    public let description: String
  }

  /// A line that could not be read.
  public struct Failure: Sendable, Hashable {
    /// The line's number, from 1 on.
    public var line: Int
    /// What is wrong, as a sentence.
    public var reason: String

    /// A failure from its parts.
    public init(line: Int, reason: String) {
      self.line = line
      self.reason = reason
    }
  }

  /// One line of the file.
  public struct Line: Sendable, Hashable {
    /// The line's number, from 1 on.
    public var number: Int
    /// The user's id; empty for none.
    public var userID: String
    /// The device's id; empty for none.
    public var deviceID: String
    /// All that stands in the line, by name, as JSON would have it: a name with dots is nested, one that
    /// comes again is a list.
    public var members: Members<PropertyValue>

    /// The line as an endpoint of Amazon Pinpoint, in JSON: attributes are lists, metrics numbers.
    public var endpointJSON: String {
      func mapped(
        _ value: PropertyValue?,
        _ change: (PropertyValue) -> PropertyValue
      ) -> PropertyValue? {
        guard case .object(let inner)? = value else { return value }
        return .object(inner.mapValues(change))
      }
      func number(_ value: PropertyValue) -> PropertyValue {
        guard case .text(let text) = value, let number = Double(text), number.isFinite else {
          return value
        }
        return .decimal(number)
      }
      var endpoint = members
      endpoint["Attributes"] = mapped(members["Attributes"]) { .list($0.values) }
      endpoint["Metrics"] = mapped(members["Metrics"], number)
      if case .object(var location)? = members["Location"] {
        for name in ["Latitude", "Longitude"] { location[name] = location[name].map(number) }
        endpoint["Location"] = .object(location)
      }
      if case .object(var user)? = members["User"] {
        user["UserAttributes"] = mapped(user["UserAttributes"]) { .list($0.values) }
        endpoint["User"] = .object(user)
      }
      return PropertyValue.json(endpoint)
    }
  }

  /// What was read.
  public struct Output: Sendable, Hashable {
    /// The lines that could be read.
    public var lines: [Line] = []
    /// The numbers of those listed (`PersonNumber`): of a line's user and of its device.
    public var members: Set<Int64> = []
    /// How many different devices and, where a line names none, users.
    public var count: Int { listed.count }
    fileprivate var listed: Set<Int64> = []
    /// Takes lines back that somebody else could not use.
    ///
    /// - Parameters:
    ///   - refused: their numbers and why.
    ///   - project: whose numbers the members get.
    public mutating func take(back refused: [Failure], project: UInt32) {
      guard !refused.isEmpty else { return }
      let numbers = Set(refused.map(\.line))
      lines.removeAll { numbers.contains($0.number) }
      (members, listed) = ([], [])
      for line in lines { list(line, project) }
      failed += refused.count
      failures = Array((failures + refused).sorted { $0.line < $1.line }.prefix(100))
    }

    fileprivate mutating func list(_ line: Line, _ project: UInt32) {
      let user = PersonNumber.user(project: project, id: line.userID)
      let device = PersonNumber.device(project: project, id: line.deviceID)
      if !line.userID.isEmpty { members.insert(user) }
      if !line.deviceID.isEmpty { members.insert(device) }
      listed.insert(line.deviceID.isEmpty ? user : device)
    }

    /// How many lines could not be read.
    public var failed = 0
    /// The first hundred of them.
    public var failures: [Failure] = []

    mutating func fail(_ line: Int, _ reason: String) {
      failed += 1
      if failures.count < 100 { failures.append(Failure(line: line, reason: reason)) }
    }
  }

  /// Bytes of a file when they are inflated; 128 MiB.
  ///
  /// All of it is in memory at once, several times as large as it was in the file.
  public static let maxBytes = 128 << 20
  /// Characters of an id.
  public static let maxIDLength = 1_024

  private let bytes: [UInt8]
  private let inflate: @Sendable ([UInt8], Int) -> [UInt8]?

  /// A file.
  ///
  /// - Parameters:
  ///   - bytes: the whole of it.
  ///   - inflate: what takes gzip's packing off, up to so many bytes; nil for what is no gzip or more.
  public init(_ bytes: [UInt8], inflate: @escaping @Sendable ([UInt8], Int) -> [UInt8]?) {
    self.bytes = bytes
    self.inflate = inflate
  }

  /// Reads the file.
  ///
  /// - Parameter project: whose numbers the members get.
  /// - Returns: what was read, with the lines that could not be.
  /// - Throws: `Problem` when the file as a whole is none.
  public func read(project: UInt32) throws(Problem) -> Output {
    var plain = bytes
    if bytes.starts(with: [0x1f, 0x8b]) {
      guard let inflated = inflate(bytes, Self.maxBytes) else {
        throw Problem(description: "The file begins like gzip and cannot be unpacked.")
      }
      plain = inflated
    }
    if plain.starts(with: [0xef, 0xbb, 0xbf]) { plain.removeFirst(3) }
    guard let text = String(validating: plain, as: UTF8.self) else {
      throw Problem(description: "The file is not UTF-8.")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw Problem(description: "The file is empty.")
    }
    return text.first { !$0.isWhitespace } == "{"
      ? jsonLines(text, project) : try csv(text, project)
  }

  // MARK: Lines of JSON

  private func jsonLines(_ text: String, _ project: UInt32) -> Output {
    var output = Output()
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      guard let members = PropertyValue.members(of: String(line)) else {
        output.fail(number, "This is no JSON object.")
        continue
      }
      take(members, number, project, &output)
    }
    return output
  }

  // MARK: CSV

  private func csv(_ text: String, _ project: UInt32) throws(Problem) -> Output {
    var output = Output()
    var head: [String] = []
    for (number, record) in CSVRecords(text) {
      switch record {
      case .failure(let problem):
        guard !head.isEmpty else { throw Problem(description: problem.reason) }
        output.fail(number, problem.reason)
      case .success(let values) where head.isEmpty:
        head = values.map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        guard head.contains(where: Self.isOfID) else {
          throw Problem(
            description:
              "The first line names no column user_id, device_id, Id or User.UserId; it names \(head.prefix(10).joined(separator: ", "))."
          )
        }
      case .success([""]): continue
      case .success(let values):
        guard values.count == head.count else {
          output.fail(number, "It has \(values.count) values; the first line names \(head.count).")
          continue
        }
        take(Self.members(head, values), number, project, &output)
      }
    }
    return output
  }

  private static func isOfID(_ name: String) -> Bool {
    ["user_id", "device_id", "Id", "User.UserId"].contains(name)
  }

  private static func members(_ names: [String], _ values: [String]) -> Members<PropertyValue> {
    var members: Members<PropertyValue> = [:]
    for (name, value) in zip(names, values) where !value.isEmpty {
      put(.text(value), at: name.split(separator: ".").map(String.init)[...], in: &members)
    }
    return members
  }

  /// Puts a value where a name with dots says; beside others of its name in a list.
  private static func put(
    _ value: PropertyValue,
    at path: ArraySlice<String>,
    in members: inout Members<PropertyValue>
  ) {
    guard let name = path.first else { return }
    guard path.count > 1 else {
      members[name] = members[name].map { .list($0.values + [value]) } ?? value
      return
    }
    var inner: Members<PropertyValue> = [:]
    if case .object(let known)? = members[name] { inner = known }
    put(value, at: path.dropFirst(), in: &inner)
    members[name] = .object(inner)
  }

  // MARK: Who is on it

  private func take(
    _ members: Members<PropertyValue>,
    _ number: Int,
    _ project: UInt32,
    _ output: inout Output
  ) {
    func text(_ value: PropertyValue?) -> String? {
      switch value {
      case .text(let text): text
      case .integer(let number): String(number)
      case nil, .null?: ""
      default: nil
      }
    }
    var user: PropertyValue?
    if case .object(let inner)? = members["User"] { user = inner["UserId"] }
    guard let userID = text(members["user_id"] ?? user),
      let deviceID = text(members["device_id"] ?? members["Id"])
    else {
      output.fail(number, "An id is a text.")
      return
    }
    guard !userID.isEmpty || !deviceID.isEmpty else {
      output.fail(number, "It names no user and no device.")
      return
    }
    guard userID.count <= Self.maxIDLength, deviceID.count <= Self.maxIDLength else {
      output.fail(number, "An id has at most \(Self.maxIDLength) characters.")
      return
    }
    let line = Line(number: number, userID: userID, deviceID: deviceID, members: members)
    output.lines.append(line)
    output.list(line, project)
  }
}
