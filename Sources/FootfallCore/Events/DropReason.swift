/// Why an event, or a part of one, was not sent.
///
/// Every loss is counted under one of these; the counts are in the client's diagnostics and
/// travel with the next batch, so that the project's owner sees them.
public struct DropReason: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  /// The name as it is sent, such as `too_large`.
  public let rawValue: String

  /// A reason by name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The name itself.
  public var description: String { rawValue }
}

extension DropReason {
  /// The event was stored under another key of the project.
  public static let keyChanged = DropReason(rawValue: "key_changed")
  /// The app went on as a new device before the event of the one before was sent.
  public static let deviceReset = DropReason(rawValue: "device_reset")
  /// The app had what was kept removed.
  public static let removed = DropReason(rawValue: "removed")
  /// Collection was off, or was switched off before the event was sent.
  public static let optedOut = DropReason(rawValue: "opted_out")
  /// The encoded event is over 64 KiB, or the server refused it alone as too large.
  public static let tooLarge = DropReason(rawValue: "too_large")
  /// The event is dated further back than 3,650 days.
  public static let tooOld = DropReason(rawValue: "too_old")
  /// The event has no name, an id with an impossible length, or something that the protocol does
  /// not allow and that cannot be left out.
  public static let invalid = DropReason(rawValue: "invalid")
  /// More events were waiting to be written than memory is set aside for.
  public static let inboxFull = DropReason(rawValue: "inbox_full")
  /// More was stored unsent than the cap allows; the oldest went.
  public static let backlogFull = DropReason(rawValue: "backlog_full")
  /// The disk had no room.
  public static let diskFull = DropReason(rawValue: "disk_full")
  /// The folder could not be used: missing rights, read-only, or the disk failed.
  public static let storageFailed = DropReason(rawValue: "storage_failed")
  /// What had been stored could not be read back.
  public static let damaged = DropReason(rawValue: "damaged")
  /// The server took the batch but not this event.
  public static let rejectedByServer = DropReason(rawValue: "rejected")
  /// The server refused the whole batch the event was in, for good; such as for its key.
  public static let batchRefused = DropReason(rawValue: "batch_refused")
  /// The server could not make sense of the event, sent alone.
  public static let malformed = DropReason(rawValue: "malformed")
  /// The server did not take the event for now, more often than it is tried.
  public static let triedTooOften = DropReason(rawValue: "tried_too_often")
  /// A plugin dropped the event.
  public static let plugin = DropReason(rawValue: "plugin")
  /// The event only asked for a session, whose start the library tells itself.
  public static let toldByLibrary = DropReason(rawValue: "told_by_library")
  /// The client had been shut down.
  public static let shutDown = DropReason(rawValue: "shut_down")

  /// A property was NaN or infinite and was left out; the event was sent.
  public static let propertyNotFinite = DropReason(rawValue: "property_not_finite")
  /// A property over the number allowed, or with an over-long key, was left out.
  public static let propertyOverLimit = DropReason(rawValue: "property_over_limit")
  /// A property of a type that the server's protocol does not have was left out.
  public static let propertyNotSupported = DropReason(rawValue: "property_not_supported")
  /// A property nested too deeply was left out.
  public static let propertyTooDeep = DropReason(rawValue: "property_too_deep")
  /// A text value was cut.
  public static let textCut = DropReason(rawValue: "text_cut")
  /// An event's name was cut.
  public static let nameCut = DropReason(rawValue: "name_cut")

  /// A user or device id was empty or over 128 bytes and was not used; no event was lost by it.
  public static let idNotUsed = DropReason(rawValue: "id_not_used")

  /// One operation of an identify does not take part, such as a second one on a property; the others
  /// were sent.
  public static let operationIgnored = DropReason(rawValue: "operation_ignored")

  private static let partial: Set<DropReason> = [
    .idNotUsed, .operationIgnored, .propertyNotFinite, .propertyNotSupported, .propertyOverLimit,
    .propertyTooDeep,
    .textCut, .nameCut,
  ]

  /// Whether a whole event was lost, not just a part of one.
  public var isWholeEvent: Bool { !Self.partial.contains(self) }
}
