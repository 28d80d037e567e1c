import Footfall
import FootfallAmplitude
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

/// A phone on which a program runs that calls a client as a document's samples do, and the server it
/// sends to.
///
/// The server answers 200 unless told otherwise; the clock stands still until it is moved.
final class SamplePhone {
  let clock = ManualClock()
  let files: MemoryFiles
  let script: ScriptedTransport
  let lifecycle: ManualLifecycle
  let connectivity = ManualConnectivity()
  let device: DeviceContext

  init(
    _ script: ScriptedTransport = ScriptedTransport(otherwise: .status(200, #"{"code":200}"#)),
    files: MemoryFiles = MemoryFiles(),
    phase: AppPhase = .foreground,
    vendorID: String? = "VENDOR-1"
  ) {
    self.script = script
    self.files = files
    lifecycle = ManualLifecycle(phase)
    var device = DeviceContext.test
    (device.vendorID, device.carrier, device.language) = (vendorID, "C", "en")
    (device.country, device.manufacturer) = ("GB", "Apple")
    self.device = device
  }

  /// The world a client works in here.
  var environment: Environment {
    var environment = Environment.test(
      clock: clock,
      transport: script,
      files: files,
      random: .another(),
      lifecycle: lifecycle,
      connectivity: connectivity
    )
    environment.device = device
    return environment
  }

  /// The client that a program makes of a configuration.
  func amplitude(_ configuration: Configuration) -> Amplitude {
    Amplitude(configuration: configuration, environment: environment)
  }

  /// The same phone after the process was killed and the app started again.
  func restarted() -> SamplePhone {
    files.endProcess()
    return SamplePhone(files: files, vendorID: device.vendorID)
  }

  /// The end of every sample: a flush; then all events that the server got so far.
  func sent(by amplitudes: Amplitude...) async throws -> [JSONFields] {
    for amplitude in amplitudes {
      amplitude.flush()
      await amplitude.client.flush()
      await amplitude.client.settle()
    }
    return try uploads.flatMap { try JSONFields.list("events", in: $0.body) }
  }

  /// The one event of a name that the server got so far.
  func event(_ name: String, by amplitude: Amplitude) async throws -> JSONFields {
    let events = try await sent(by: amplitude).filter { $0.text("event_type") == name }
    guard let event = events.first, events.count == 1 else {
      throw NotOne(name: name, count: events.count)
    }
    return event
  }

  /// Waits until what was called is done.
  func settle(_ amplitude: Amplitude) async {
    await amplitude.client.settle()
  }

  /// Sends what is stored, and waits for that.
  func deliver(_ amplitude: Amplitude) async {
    await amplitude.client.flush()
  }

  /// The requests with events.
  var uploads: [UploadRequest] { script.requests.filter { $0.method == .post } }

  /// Lets time pass, in seconds.
  func pass(_ seconds: TimeInterval, for amplitude: Amplitude) async {
    clock.advance(bySeconds: seconds)
    amplitude.client.poke()
    await amplitude.client.settle()
  }

  /// Not exactly one event of a name was sent.
  struct NotOne: Error {
    let name: String
    let count: Int
  }
}

extension [JSONFields] {
  /// The names of the events.
  var names: [String] { map { $0.text("event_type") } }

  /// Those that are not about a session itself.
  var ordinary: [JSONFields] { filter { !$0.text("event_type").hasPrefix("session_") } }

  /// Those of a name.
  func named(_ name: String) -> [JSONFields] { filter { $0.text("event_type") == name } }
}
