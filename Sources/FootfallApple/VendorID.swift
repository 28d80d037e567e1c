#if canImport(Darwin)
import Foundation
import FootfallPlatform
import FootfallSystem
#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(WatchKit) && os(watchOS)
import WatchKit
#endif

/// The system's id for the app's vendor on this device, read once.
///
/// On a Mac it is the address of the first network interface, unless the system hides that.
final class VendorID: Sendable {
  /// The longest that is waited for the main thread, in seconds.
  private static let patienceSeconds = 1.0

  private let reading = Monitor<String??>(.none)

  /// Reads it: at once on the main thread or where any thread may, else as soon as that is free.
  init() {
    #if os(macOS)
    reading.change { $0 = .some(Self.interfaceAddress("en0")) }
    #else
    onMainActor { [reading] in
      let id = Self.identifier
      reading.change { $0 = .some(id) }
    }
    #endif
  }

  /// The id; nil if the system has none, or while the main thread has not got to it.
  var value: String? { reading.withLock { $0 } ?? nil }

  /// Waits for the main thread to get to it.
  func wait() {
    _ = reading.wait(timeoutSeconds: Self.patienceSeconds) { $0 }
  }

  #if os(macOS)
  private static func interfaceAddress(_ name: String) -> String? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var next = list
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard let address = interface.ifa_addr, address.pointee.sa_family == UInt8(AF_LINK),
        String(cString: interface.ifa_name) == name
      else { continue }
      return HardwareAddress.text(Self.bytes(of: address))
    }
    return nil
  }

  /// The bytes after the interface's name (`LLADDR`).
  ///
  /// Safety: an address of the family `AF_LINK` is a `sockaddr_dl`, `sa_len` bytes long.
  private static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8] {
    let whole = UnsafeRawBufferPointer(start: address, count: Int(address.pointee.sa_len))
    let link = UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr_dl.self).pointee
    let start = (MemoryLayout<sockaddr_dl>.offset(of: \.sdl_data) ?? 8) + Int(link.sdl_nlen)
    return Array(whole.dropFirst(start).prefix(Int(link.sdl_alen)))
  }
  #elseif os(watchOS)
  @MainActor private static var identifier: String? {
    WKInterfaceDevice.current().identifierForVendor?.uuidString
  }
  #elseif canImport(UIKit)
  @MainActor private static var identifier: String? {
    UIDevice.current.identifierForVendor?.uuidString
  }
  #else
  @MainActor private static var identifier: String? { nil }
  #endif
}
#endif
