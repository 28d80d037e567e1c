#if os(iOS) && canImport(CoreTelephony)
import CoreTelephony

/// The mobile network of the SIM in use.
enum Carrier {
  /// Its name; nil without a SIM, and from iOS 16.4 on, where the system says `--`.
  static var current: String? {
    let network = CTTelephonyNetworkInfo()
    let carriers = network.serviceSubscriberCellularProviders ?? [:]
    let used = network.dataServiceIdentifier.flatMap { carriers[$0] } ?? carriers.values.first
    guard let name = used?.carrierName, !name.isEmpty, name != "--" else { return nil }
    return name
  }
}
#endif
