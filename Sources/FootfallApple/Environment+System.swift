package import FootfallPlatform

extension Environment {
  /// The real world with every adapter the platform has; see `Environment.live`.
  ///
  /// - Parameter log: Where the library's own sentences go.
  /// - Returns: The environment an app's client runs in.
  package static func system(log: Logger = .system()) -> Environment {
    var environment = live(lifecycle: SystemLifecycle.make(), log: log)
    #if canImport(Network) && !os(watchOS)
    environment.connectivity = PathConnectivity()
    #endif
    #if os(macOS)
    environment.userActivity = EventSourceActivity()
    #endif
    #if canImport(ObjectiveC)
    environment.exceptions = UncaughtExceptions()
    #endif
    #if canImport(Darwin)
    let vendorID = VendorID()
    environment.awaitDevice = { vendorID.wait() }
    environment.refreshDevice = { device in
      var device = device.refreshed()
      device.vendorID = vendorID.value
      #if os(iOS) && canImport(CoreTelephony)
      device.carrier = Carrier.current
      #endif
      return device
    }
    #endif
    return environment
  }
}
