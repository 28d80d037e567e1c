/// How a client comes by its device id: everything in which the documented products differ.
package struct IdentityRules: Sendable, Equatable {
  /// Where a device id may come from.
  package enum Source: Sendable, Hashable, CaseIterable {
    /// The configuration.
    case configured
    /// The storage of an earlier run; not after a reset.
    case stored
    /// The system's id for the vendor of the app.
    case vendor
    /// A new one.
    case random
  }

  /// What a new device id looks like.
  package enum Format: Sendable, Equatable {
    /// A UUID in lower case.
    case uuid
    /// A UUID in upper case.
    case upperCaseUUID
    /// A ULID of the present time; a stored id of another form is replaced.
    case ulid
  }

  /// Where the device id is looked for, in this order.
  package var sources: [Source] = [.configured, .stored, .random]
  /// What a new one looks like.
  package var format = Format.uuid
  /// Whether a stored id that many devices share is replaced.
  package var replacesShared = true
  /// Whether an id of another key is forgotten, and everything queued under it.
  package var bindsToKey = false

  /// Footfall's own rules.
  package init() {}

  /// Footfall's own rules.
  package static let native = IdentityRules()

  /// Those of Amplitude, from `amplitude.md` section 2.7; without the vendor's id if the app does
  /// not want it tracked.
  package static func amplitude(usesVendorID: Bool = true) -> IdentityRules {
    var rules = IdentityRules()
    rules.sources = Source.allCases.filter { usesVendorID || $0 != .vendor }
    rules.format = .upperCaseUUID
    return rules
  }

  /// Those of SimpleDataLogs: only the app names the device, at every launch.
  package static let simpleDataLogs: IdentityRules = {
    var rules = IdentityRules()
    rules.sources = [.configured]
    return rules
  }()

  /// Those of Phase, from `phase.md` section 5.1.
  package static let phase: IdentityRules = {
    var rules = IdentityRules()
    rules.sources = [.stored, .random]
    rules.format = .ulid
    rules.bindsToKey = true
    return rules
  }()

  /// Ids that whole families of devices have in common.
  ///
  /// The empty UUID, the placeholder of a network interface, and hashes of such placeholders.
  /// Source: `amplitude.md`, versions.
  private static let sharedIDs: Set<String> = [
    "00000000-0000-0000-0000-000000000000", "02:00:00:00:00:00",
    "e3f5536a141811db40efd6400f1d0a4e", "04bab7ee75b9a58d39b8dc54e8851084",
  ]

  /// Whether many devices share an id.
  package static func isShared(_ id: String) -> Bool { sharedIDs.contains(id.lowercased()) }
}
