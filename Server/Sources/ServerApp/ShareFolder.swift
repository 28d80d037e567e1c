import Foundation

/// Finds the folder with the parts that are not in the binary: `libduckdb`, htmx and ECharts.
public enum ShareFolder {
  /// The environment variable that names the folder.
  public static let variable = "FOOTFALL_SHARE"

  /// The first existing candidate: the flag, the environment, then beside the executable and upwards.
  ///
  /// - Parameters:
  ///   - flag: The path given on the command line, if any; taken as it is.
  ///   - environment: The process's environment.
  ///   - executable: The absolute path of the running program.
  ///   - exists: Tells whether a folder exists.
  /// - Returns: The folder, or nil when there is none.
  public static func find(
    flag: String?,
    environment: [String: String],
    executable: String,
    exists: (String) -> Bool
  ) -> String? {
    if let flag { return flag }
    if let named = environment[variable], !named.isEmpty { return named }
    return candidates(beside: executable).first(where: exists)
  }

  /// An installed binary finds `../share/footfall`; one in a build folder the checkout's `share/footfall`.
  static func candidates(beside executable: String) -> [String] {
    var folder = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    var found: [String] = []
    while folder.path != "/" {
      found.append(folder.appendingPathComponent("share/footfall").path)
      folder.deleteLastPathComponent()
    }
    return found
  }
}
