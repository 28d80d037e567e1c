/// Why a server did not start; each prints as a sentence that says what to do.
public enum StartError: Error, Sendable, CustomStringConvertible {
  /// The data folder cannot be made, read or written.
  case folder(path: String, reason: String)
  /// The data folder holds something that Footfall did not write.
  case foreignFolder(path: String, example: String)
  /// A later version of Footfall wrote the data folder.
  case newerDataFolder(path: String, found: Int, supported: Int)
  /// A command that reads a data folder was pointed at none.
  case noDataFolder(path: String)
  /// The data folder holds data but not the catalogue that says whose it is.
  case lostCatalogue(path: String, found: String)
  /// Another process is using the data folder.
  case held(path: String, pid: Int32)
  /// A command that reads a stopped server's store met one that runs.
  case storeInUse(path: String)
  /// One part of the server did not start.
  case part(String, reason: String)

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .folder(let path, let reason):
      "The data folder \(path) cannot be used: \(reason). Choose another with --data."
    case .foreignFolder(let path, let example):
      "\(path) is not a Footfall data folder (it holds “\(example)”) and was left alone. "
        + "Choose an empty or new folder with --data."
    case .newerDataFolder(let path, let found, let supported):
      "The data folder \(path) has layout \(found); this program understands layouts up to \(supported). "
        + "Start it with the footfall version that wrote it, named on the second line of \(path)/format, or a later one."
    case .noDataFolder(let path):
      "There is no Footfall data folder at \(path). Name one with --data, or start a server there first."
    case .lostCatalogue(let path, let found):
      "The catalogue \(path) is missing or empty, but there is data beside it (\(found)): without it nobody "
        + "knows which project that belongs to and what was erased. Nothing was changed. Restore the "
        + "catalogue from a backup; to begin anew, move the whole data folder away."
    case .held(let path, let pid):
      "The data folder \(path) is in use by process \(pid). Stop that process, or choose another folder with --data."
    case .storeInUse(let path):
      "The server of the data folder \(path) is running, and the store has one reader at a time. "
        + "Stop the server first, or look at its pages."
    case .part(let name, let reason):
      "The \(name) did not start: \(reason)"
    }
  }
}
