import CCrypto
import Foundation

/// The scripts and styles of the pages, each under an address that holds a hash of its content.
///
/// Our own come with the program. htmx and ECharts are read once from a folder; without them the
/// pages work as plain links and tables.
public struct AssetFolder: Sendable {
  /// The files that should be in the folder and are not, for a line at start-up.
  public let missing: [String]
  let styles: Asset
  let script: Asset
  let icon: Asset
  let htmx: Asset?
  let echarts: Asset?
  private let byFile: [String: Asset]

  /// Reads the folder.
  ///
  /// - Parameter path: Usually `share/footfall`; nil when there is none.
  public init(path: String?) {
    styles = Asset(name: "app", suffix: "css", bytes: Array(Styles.all.utf8))
    script = Asset(name: "app", suffix: "js", bytes: Array(Scripts.all.utf8))
    icon = Asset(name: "icon", suffix: "svg", bytes: Array(Icons.favicon.utf8))
    htmx = Self.read("htmx.min.js", in: path)
    echarts = Self.read("echarts.min.js", in: path)
    missing = [htmx == nil ? "htmx.min.js" : nil, echarts == nil ? "echarts.min.js" : nil]
      .compactMap { $0 }
    let all = [styles, script, icon, htmx, echarts].compactMap { $0 }
    byFile = Dictionary(all.map { ($0.file, $0) }) { first, _ in first }
  }

  /// The asset of that file name, hash included.
  func asset(file: String) -> Asset? { byFile[file] }

  private static func read(_ file: String, in folder: String?) -> Asset? {
    guard let folder, let data = FileManager.default.contents(atPath: folder + "/" + file),
      !data.isEmpty
    else { return nil }
    let name = String(file.prefix { $0 != "." })
    return Asset(name: name, suffix: "js", bytes: Array(data))
  }
}

/// One file that pages load.
struct Asset: Sendable {
  /// The name it is served under, such as `app.3f9c2a41b07d.css`.
  let file: String
  let contentType: String
  let bytes: [UInt8]

  var address: Address { Address("assets", file) }

  init(name: String, suffix: String, bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: 32)
    bytes.withUnsafeBytes { _ = SHA256($0.baseAddress, $0.count, &digest) }
    let hash = digest.prefix(6).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    file = "\(name).\(hash).\(suffix)"
    self.bytes = bytes
    contentType =
      switch suffix {
      case "css": "text/css; charset=utf-8"
      case "svg": "image/svg+xml"
      default: "text/javascript; charset=utf-8"
      }
  }
}
