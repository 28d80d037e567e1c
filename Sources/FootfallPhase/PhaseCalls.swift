import FootfallCore
package import FootfallEngine
import Foundation

/// What the calls of Phase's client mean for the engine: untyped values are brought into form, and
/// what has none is refused with a line in the log.
///
/// Any thread. Source: `phase.md` sections 2.4, 3.1 and 3.2.
package struct PhaseCalls: Sendable {
  private let engine: Engine
  private let vocabulary = EventVocabulary.phase

  /// The calls of a client.
  package init(_ engine: Engine) {
    self.engine = engine
  }

  /// Tracks an event; one with params that cannot be sent is dropped.
  package func track(_ name: String, _ params: [String: Any]? = nil) {
    track(EventContent(EventName(name)), params)
  }

  /// Tracks that a screen was shown; its name is brought into form.
  package func trackScreen(_ name: String, _ params: [String: Any]? = nil) {
    track(vocabulary.screenView(name), params)
  }

  private func track(_ content: EventContent, _ params: [String: Any]?) {
    let values = PhaseValues(params)
    guard let problem = values.problems.first else {
      return engine.track(content.name, values.properties.merging(content.properties), nil)
    }
    engine.refuse(content.name, "An event was dropped: \(problem).")
  }

  /// Registers the device with properties, of which those that cannot be sent are left out; returns
  /// once the client is started and has taken that in.
  package func identify(_ properties: sending [String: Any]? = nil) async {
    let values = PhaseValues(properties)
    for problem in values.problems {
      engine.note(
        "A property of the device is left out: \(problem).",
        counting: .propertyNotSupported
      )
    }
    engine.track(.identify, [:], nil, IdentifyOperations(setting: values.properties))
    await engine.settle()
  }

  /// Sends what waits; returns when the attempt is over.
  package func flush() async {
    _ = await engine.flush()
  }

  /// How long what is left may take to be sent when a device is left, in seconds.
  ///
  /// Source: `phase.md` section 5.8.
  private static let resetSeconds = 15.0

  /// Ends the session, tries to send what waits, drops the rest, and goes on as a new device, which
  /// waits for `identify`.
  package func reset() async {
    await withCheckedContinuation { continuation in
      engine.reset(limitSeconds: Self.resetSeconds) { continuation.resume() }
    }
  }
}

/// Untyped values as far as Phase's protocol has them: text, numbers, truth values and null.
struct PhaseValues {
  /// Those that can be sent, sorted by key.
  private(set) var properties = Properties()
  /// What is wrong with the others, as the rest of a sentence without their values.
  private(set) var problems: [String] = []

  init(_ dictionary: [String: Any]?) {
    for (key, value) in (dictionary ?? [:]).sorted(by: { $0.key < $1.key }) {
      if let scalar = PropertyValue(bridging: value) {
        properties[key] = scalar
      } else if PropertyValue(converting: value) == .null {
        properties[key] = .null
      } else {
        problems.append("“\(key.prefix(40))” is of the type \(type(of: value)), which is not sent")
      }
    }
  }
}
