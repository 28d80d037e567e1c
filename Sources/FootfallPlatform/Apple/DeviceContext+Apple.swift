#if canImport(Darwin)
import Darwin
import Foundation

extension DeviceContext {
  static var systemPlatform: String {
    #if os(macOS)
    "macOS"
    #elseif os(tvOS)
    "tvOS"
    #elseif os(watchOS)
    "watchOS"
    #elseif os(visionOS)
    "visionOS"
    #else
    hardwareModel?.hasPrefix("iPad") == true ? "iPadOS" : "iOS"
    #endif
  }

  static var systemRelease: (name: String?, version: String?) {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    let patch = version.patchVersion == 0 ? "" : ".\(version.patchVersion)"
    return (systemPlatform, "\(version.majorVersion).\(version.minorVersion)\(patch)")
  }

  static var systemManufacturer: String? { "Apple" }

  /// The maker's model name: the simulated one in a simulator.
  static var systemModel: String? {
    ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] ?? hardwareModel
  }

  /// `hw.model` on Macs and `hw.machine` elsewhere, where `hw.model` names the board.
  private static var hardwareModel: String? {
    #if os(macOS)
    let key = "hw.model"
    #else
    let key = "hw.machine"
    #endif
    var bytes = [UInt8](repeating: 0, count: 128)
    var count = bytes.count
    guard sysctlbyname(key, &bytes, &count, nil, 0) == 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
#endif
