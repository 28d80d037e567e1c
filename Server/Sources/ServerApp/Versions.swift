/// The versions this program speaks and writes.
public enum Versions {
  /// The program's own version, semantic versioning.
  public static let program = "0.1.0"
  /// Footfall's own wire protocol, the number in `/v1/events`.
  public static let wire = 1
  /// The layout of the data folder.
  ///
  /// A folder with a higher number is refused, one with a lower number migrated.
  public static let disk = 1

  /// The line that `footfall --version` prints.
  public static let summary = "footfall \(program) (wire \(wire), disk \(disk))"
}
