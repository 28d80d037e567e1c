import CDuckDB
import EventRecord
import EventStore

/// An event that changes properties.
struct PropertyChange {
  let place: EventPlace
  let kind: EventRecord.Kind
  let operations: String
  let groups: String
  let isTest: Bool

  /// The columns it is read from, in this order.
  static let columns = "corrected_at, seq, event_key, kind, ops, groups, is_test"
  /// What makes an event one.
  static let condition = "(ops IS NOT NULL OR kind = 1 AND groups IS NOT NULL)"

  init(
    place: EventPlace,
    kind: EventRecord.Kind,
    operations: String,
    groups: String,
    isTest: Bool
  ) {
    self.place = place
    self.kind = kind
    self.operations = operations
    self.groups = groups
    self.isTest = isTest
  }

  /// Reads `columns` from column `first` on.
  init(_ row: Row, from first: Int) throws(StoreError) {
    place = EventPlace(
      correctedMs: try row.time(first),
      sequence: try row.integer(first + 1),
      key: try row.key(first + 2)
    )
    kind = EventRecord.Kind(rawValue: UInt8(clamping: try row.integer(first + 3))) ?? .event
    operations = try row.text(first + 4)
    groups = try row.text(first + 5)
    isTest = try row.boolean(first + 6)
  }

  /// Under which number stands what such events say of a person or a group.
  func subject(of number: Int64) -> Int64 {
    isTest ? PersonNumber.saidByTests(of: number) : number
  }

  /// The numbers of the groups whose properties it changes, each once.
  func groupSubjects(project: UInt32) -> Set<Int64> {
    guard kind == .groupIdentify, let types = PropertyValue.members(of: groups) else { return [] }
    return Set(
      types.flatMap { type, names in
        names.values.compactMap(\.groupName).map {
          subject(of: PersonNumber.group(project: project, type: type, name: $0))
        }
      }
    )
  }
}

/// What holds of a person or a group, and the last event that said something about it.
struct KnownProperties {
  var state = PropertyState()
  var place: EventPlace?
  var isTest = false
  /// Whether the table has a row.
  var isStored = false

  /// Applies changes that come after all earlier ones.
  mutating func apply(_ changes: [PropertyChange]) {
    for change in changes {
      state.apply(operations: change.operations, groups: change.groups, kind: change.kind)
      place = change.place
      isTest = change.isTest
    }
  }

  static let table = RowTable(
    name: "current_properties",
    types: [
      DDB_BIGINT, DDB_BIGINT, DDB_TIMESTAMP_MS, DDB_BIGINT, DDB_UUID, DDB_VARCHAR, DDB_VARCHAR,
      DDB_BIGINT, DDB_BOOLEAN,
    ].map { Int($0) }
  )

  /// The table's row; nil when nothing was ever said.
  func row(subject: Int64, project: UInt32) -> [SQLValue]? {
    guard let place else { return nil }
    return [
      .integer(subject), .integer(Int64(project)), .time(place.correctedMs),
      .integer(place.sequence), .key(place.key), .text(PropertyValue.json(state.properties)),
      .text(PropertyValue.json(state.groups)), .integer(Int64(state.ignoredOperations)),
      .boolean(isTest),
    ]
  }
}

extension PropertyValue {
  /// A group's name: a text, or a whole number's digits.
  fileprivate var groupName: String? {
    switch self {
    case .text(let text): text
    case .integer(let value): String(value)
    default: nil
    }
  }
}
