package import FootfallCore
package import FootfallPlatform

/// Where a client tells how its own work goes, for products that have such a place; nobody's events
/// and nothing about users.
package struct SelfReportSettings: Sendable {
  /// When it tells.
  package var rules: SelfReportCore.Rules
  /// The report as a request; the rate is the part of all processes that report.
  package var request: @Sendable (SelfReportCore.Numbers, _ rate: Double) -> UploadRequest
  /// Whether a setting of the server's, or the app's, says that reports are wanted, and the rate.
  package var choice: @Sendable (FeatureSet) -> (isOn: Bool, rate: Double)

  /// Settings from their parts.
  package init(
    rules: SelfReportCore.Rules,
    request: @escaping @Sendable (SelfReportCore.Numbers, _ rate: Double) -> UploadRequest,
    choice: @escaping @Sendable (FeatureSet) -> (isOn: Bool, rate: Double)
  ) {
    self.rules = rules
    self.request = request
    self.choice = choice
  }
}
