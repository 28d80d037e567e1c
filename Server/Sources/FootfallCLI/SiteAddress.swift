import Foundation
import ServerApp

/// Where people reach a server, as an operator writes it.
enum SiteAddress {
  /// Checks what was given with an option, because links are made of it that people follow.
  ///
  /// - Returns: The address without a slash at its end.
  /// - Throws: `UsageError` for what is not http or https with a host, and for what no path can follow.
  static func checked(_ text: String, of option: String) throws(UsageError) -> String {
    guard text.unicodeScalars.allSatisfy(isShown),
      let url = URL(string: text), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty,
      url.query == nil, url.fragment == nil
    else {
      throw UsageError(
        "--\(option) takes an address like https://stats.example.com, not “\(EventLine.printable(text))”."
      )
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// Whether a character is neither a gap nor one that a terminal or a reader would not show.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// The address that `--address` names; else where the data folder's server runs or ran last.
  ///
  /// - Throws: `UsageError` as above; why the last address cannot be read.
  static func of(_ arguments: Arguments) throws -> String {
    if let given = arguments.options["address"] { return try checked(given, of: "address") }
    return try CatalogueCommand.folder(arguments).lastAddress() ?? "http://127.0.0.1:4001"
  }
}
