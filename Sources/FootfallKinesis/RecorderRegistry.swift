import FootfallApple
import FootfallPlatform
import FootfallSystem

/// The recorders of a process, by class and key.
package final class RecorderRegistry: Sendable {
  /// That of the process.
  static let shared = RecorderRegistry()
  /// One real world for all recorders: one pool of connections, one log.
  static let world = Environment.system()
  /// The key of the recorder an app gets without saying one.
  package static let usualKey = "default"

  private struct Place: Hashable {
    let type: ObjectIdentifier
    let key: String
  }

  private let recorders = Lock<[Place: AWSAbstractKinesisRecorder]>([:])

  /// The recorder of a key, made if there is none.
  func recorder<Recorder: AWSAbstractKinesisRecorder>(
    _ key: String,
    _ make: (String) -> Recorder
  ) -> Recorder {
    let place = Place(type: ObjectIdentifier(Recorder.self), key: key)
    return recorders.withLock { recorders in
      if let known = recorders[place] as? Recorder { return known }
      let made = make(key)
      recorders[place] = made
      return made
    }
  }

  /// Lets go of the recorder of a key.
  func remove(_ type: AWSAbstractKinesisRecorder.Type, _ key: String) {
    recorders.withLock { $0[Place(type: ObjectIdentifier(type), key: key)] = nil }
  }
}
