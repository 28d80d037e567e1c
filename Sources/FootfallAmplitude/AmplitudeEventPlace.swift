import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem

/// Files of events that the vendor's client left: one of those that waited, or all that were held,
/// since those are merged with each other.
///
/// A file without a single event is moved aside, as that client does, for someone to look at.
final class AmplitudeEventPlace: EarlierPlace {
  private let folder: String
  private let fileNames: [String]
  private let isHeld: Bool
  private let world: EarlierWorld
  private let hiding: HiddenKey
  private var broken: Set<String> = []

  /// Files of a folder, whose path has the key in it.
  init(
    folder: String,
    names: [String],
    isHeld: Bool,
    world: EarlierWorld,
    hiding: HiddenKey
  ) {
    self.hiding = hiding
    self.folder = folder
    fileNames = names
    self.isHeld = isHeld
    self.world = world
  }

  var name: String { "an earlier client's \(fileNames.joined(separator: ", "))" }

  func read() throws(EarlierFailure) -> EarlierEvents {
    var (found, malformed) = (EarlierEvents(), [String]())
    for name in fileNames {
      let bytes = try onDisk { () throws(SystemError) in try world.files.readAll(path(name)) }
      let file = AmplitudeEventFile(bytes, name: name, milliseconds: world.milliseconds)
      if file.events.isEmpty, !bytes.isEmpty { broken.insert(name) }
      if isHeld { found.held += file.events } else { found.queued += file.events }
      malformed += file.malformed
    }
    found.damaged = malformed.count
    found.commonContent = AmplitudeEventFile.report(malformed)
    return found
  }

  func remove() throws(EarlierFailure) {
    for name in fileNames {
      try onDisk { () throws(SystemError) in
        if broken.contains(name) { try moveAside(name) } else { try world.files.remove(path(name)) }
      }
    }
  }

  private func moveAside(_ name: String) throws(SystemError) {
    let aside = folder + "/.quarantine"
    try world.files.makeFolder(aside)
    try world.files.rename(path(name), to: "\(aside)/\(name).\(world.milliseconds)")
    world.log.error("An earlier client's \(name) holds no event and was moved to .quarantine.")
  }

  private func path(_ name: String) -> String { folder + "/" + name }

  private func onDisk<Result>(
    _ action: () throws(SystemError) -> Result
  ) throws(EarlierFailure) -> Result {
    do throws(SystemError) { return try action() } catch {
      throw EarlierFailure(hiding.sentence(error))
    }
  }
}
