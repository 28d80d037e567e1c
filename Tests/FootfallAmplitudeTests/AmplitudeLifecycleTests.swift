import FootfallAmplitude
import FootfallPlatform
import FootfallTesting
import Testing

/// What is told of the app's installs, updates and openings where that was asked for.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude: app lifecycles` {
  /// The app of a version and build, just started.
  private static func app(
    _ version: String,
    _ build: String,
    files: MemoryFiles = MemoryFiles(),
    phase: AppPhase = .foreground
  ) -> AmplitudeApp {
    var device = DeviceContext.test
    device.build = build
    return AmplitudeApp(
      files: files,
      appVersion: version,
      device: device,
      phase: phase,
      make: {
        key,
        log,
        level,
        _ in
        Configuration(
          apiKey: key,
          logLevel: level,
          loggerProvider: log,
          autocapture: .appLifecycles,
          enableAutoCaptureRemoteConfig: false
        )
      }
    )
  }

  /// What was told, each with its properties as JSON, in which the vendor's prefix is left out.
  private static func told(_ app: AmplitudeApp) async throws -> [String] {
    try await app.sent().map { event in
      let properties = event["event_properties"] ?? "{}"
      return "\(event.text("event_type")) \(properties)"
        .replacing("[Amplitude] ", with: "").replacing("Application ", with: "")
    }
  }

  private static let installed = #"Installed {"Build":"34","Version":"1.2"}"#
  private static let opened = #"Opened {"Build":"34","From Background":false,"Version":"1.2"}"#

  @Test func `AMP-A1 AMP-A16: an install is told once, each opening every time`() async throws {
    let first = Self.app("1.2", "34")
    #expect(try await Self.told(first) == [Self.installed, Self.opened])
    first.files.endProcess()
    #expect(try await Self.told(Self.app("1.2", "34", files: first.files)) == [Self.opened])
  }

  @Test(arguments: [
    ("1.1", "2", #"{"Build":"2","Previous Build":"1","Previous Version":"1.0","Version":"1.1"}"#),
    ("1.0", "35", #"{"Build":"35","Previous Build":"1","Previous Version":"1.0","Version":"1.0"}"#),
  ])
  func `AMP-A2 AMP-A16: an update says what was before`(
    version: String,
    build: String,
    properties: String
  ) async throws {
    let first = Self.app("1.0", "1")
    await first.settle()
    first.files.endProcess()
    let second = Self.app(version, build, files: first.files)
    let told = try await Self.told(second)
    #expect(told.contains("Updated \(properties)"))
    #expect(
      told.last == #"Opened {"Build":"\#(build)","From Background":false,"Version":"\#(version)"}"#
    )
    second.files.endProcess()
    let third = try await Self.told(Self.app(version, build, files: first.files))
    #expect(!third.contains { $0.hasPrefix("Updated") || $0.hasPrefix("Installed") })
  }

  @Test func `AMP-A3 AMP-A17: leaving and coming back are told, the latter as such`() async throws {
    let app = Self.app("1.2", "34")
    await app.settle()
    app.lifecycle.announce(.background)
    await app.pass(1)
    app.lifecycle.announce(.foreground)
    await app.settle()
    let told = try await Self.told(app)
    #expect(
      told == [
        Self.installed, Self.opened, "Backgrounded {}",
        #"Opened {"Build":"34","From Background":true,"Version":"1.2"}"#,
      ]
    )
  }

  @Test func `AMP-A11: what is captured cannot be changed once it runs`() {
    func isSettable<Value>(_ path: KeyPath<Configuration, Value>) -> Bool { false }
    func isSettable<Value>(_ path: ReferenceWritableKeyPath<Configuration, Value>) -> Bool { true }
    #expect(!isSettable(\.autocapture))
    #expect(!isSettable(\.enableAutoCaptureRemoteConfig))
    #expect(isSettable(\.callback))
  }
}
