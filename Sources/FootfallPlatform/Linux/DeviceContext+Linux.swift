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
  static var systemVersion: String? {
    do {
      let text = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
      if let release = osRelease(text) { return release }
    } catch {
      // A container without the file is common; the kernel's name does as well.
    }
    return ProcessInfo.processInfo.operatingSystemVersionString
  }

  /// The processor family, as in `x86_64`: a server has no model worth telling.
  static var systemModel: String? {
    var name = utsname()
    guard uname(&name) == 0 else { return nil }
    return withUnsafeBytes(of: &name.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// `NAME` and `VERSION_ID` of an os-release file, as in `Debian GNU/Linux 12`.
  static func osRelease(_ text: String) -> String? {
    var fields: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      fields[parts[0]] = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"' "))
    }
    guard let name = fields["NAME"], !name.isEmpty else { return nil }
    guard let version = fields["VERSION_ID"], !version.isEmpty else { return name }
    return "\(name) \(version)"
  }
}
#endif
