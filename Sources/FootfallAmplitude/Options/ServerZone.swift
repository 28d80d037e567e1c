/// A region in which the service keeps its data.
#if canImport(ObjectiveC)
@objc(AMPServerZone)
#endif
public enum ServerZone: Int, Sendable, Hashable, CaseIterable {
  /// The United States.
  case US
  /// The European Union.
  case EU
}

extension AmplitudeEndpoint.Zone {
  /// The region by its documented name.
  init(_ zone: ServerZone) {
    self =
      switch zone {
      case .US: .us
      case .EU: .eu
      }
  }
}
