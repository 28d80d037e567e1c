import FootfallApple
import FootfallAWS
import FootfallPlatform
import FootfallSystem

/// The keys of recorders.
package enum RecorderKey {
  /// That of the recorder an app gets without saying one.
  package static let usual = "default"
}

/// The recorders of a class, by key.
final class RecorderRegistry<Recorder: AWSAbstractKinesisRecorder>: Sendable {
  private let recorders = Lock<[String: Recorder]>([:])

  /// The recorder of a key, made if there is none.
  func recorder(_ key: String, _ make: () -> Recorder) -> Recorder {
    recorders.withLock { recorders in
      if let known = recorders[key] { return known }
      let made = make()
      recorders[key] = made
      return made
    }
  }

  func remove(_ key: String) {
    recorders.withLock { $0[key] = nil }
  }
}

/// The real world of recorders.
enum RecorderRegistries {
  /// One environment for all of them: one connection pool, one log.
  private static let world = Environment.system()

  /// A recorder in the real world.
  static func live(
    _ service: StreamService,
    _ configuration: AWSServiceConfiguration?,
    key: String
  ) -> StreamRecorder {
    let place = ServicePlace(service.type, configuration, .default(), section: nil)
    return StreamRecorder(service, place, key: key, in: world)
  }
}
