#if os(Linux)
import Foundation
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

extension DeviceContext {
  static let systemPlatform = "Linux"

  /// The distribution's name and version from `/etc/os-release`, else the kernel's.
  static var systemRelease: (name: String?, version: String?) {
    do {
      let text = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
      let release = osRelease(text)
      if release.name != nil { return release }
    } catch {
      // A container without the file is common; the kernel's name does as well.
    }
    var kernel = utsname()
    guard uname(&kernel) == 0 else { return ("Linux", nil) }
    let version = withUnsafeBytes(of: &kernel.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return ("Linux", version)
  }

  /// No file says it in a way that could be trusted.
  static var systemModel: String? { nil }
  /// Known as little as the model.
  static var systemManufacturer: String? { nil }

  /// `NAME` and `VERSION_ID` of an os-release file, as in `Debian GNU/Linux` and `12`.
  static func osRelease(_ text: String) -> (name: String?, version: String?) {
    var fields: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"' "))
      if !value.isEmpty { fields[parts[0]] = value }
    }
    guard let name = fields["NAME"] else { return (nil, nil) }
    return (name, fields["VERSION_ID"])
  }
}
#endif
