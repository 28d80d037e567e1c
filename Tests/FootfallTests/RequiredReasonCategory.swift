/// A group of interfaces that Apple lets an app use for stated reasons only.
///
/// Source: Apple, "Describing use of required reason API".
struct RequiredReasonCategory {
  let name: String
  /// The names in sources.
  let interfaces: Set<Substring>
  /// The reasons there are.
  let reasons: Set<String>

  private init(_ name: String, _ interfaces: Set<Substring>, _ reasons: Set<String>) {
    self.name = "NSPrivacyAccessedAPICategory" + name
    self.interfaces = interfaces
    self.reasons = reasons
  }

  static let all = [
    RequiredReasonCategory(
      "FileTimestamp",
      [
        "creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey",
        "creationDateKey", "getattrlist", "getattrlistbulk", "fgetattrlist", "getattrlistat",
        "stat", "fstat", "fstatat", "lstat",
      ],
      ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]
    ),
    // Apple lists the first two; the clocks that count from the system's start say the same.
    RequiredReasonCategory(
      "SystemBootTime",
      [
        "systemUptime", "mach_absolute_time", "mach_continuous_time", "CLOCK_UPTIME_RAW",
        "CLOCK_MONOTONIC_RAW",
      ],
      ["35F9.1", "8FFB.1", "3D61.1"]
    ),
    RequiredReasonCategory(
      "DiskSpace",
      [
        "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
        "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey",
        "systemFreeSize", "systemSize", "statfs", "statvfs", "fstatfs", "fstatvfs",
      ],
      ["85F4.1", "E174.1", "7D9E.1", "B728.1"]
    ),
    RequiredReasonCategory("ActiveKeyboards", ["activeInputModes"], ["3EC4.1", "54BD.1"]),
    RequiredReasonCategory(
      "UserDefaults",
      ["UserDefaults", "NSUserDefaults"],
      ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]
    ),
  ]

  /// Whether a source names one of the interfaces outside a comment.
  func isUsed(by text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      var code = line
      while code.first == " " { code.removeFirst() }
      guard !code.hasPrefix("//") else { return false }
      return code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        .contains { interfaces.contains($0) }
    }
  }
}
