/// Why the catalogue could not do something, told so that an operator can act on it.
public enum CatalogError: Error, Sendable, Equatable {
  /// The file was written by a newer Footfall; `needs` is the oldest version that reads it.
  case newerFormat(found: Int, supported: Int, needs: String)
  /// No project has this number.
  case unknownProject(UInt32)
  /// The project has no key with this number.
  case unknownKey(Int64)
  /// No user has this name.
  case unknownUser(String)
  /// Someone has this name already.
  case userExists(String)
  /// No session is listed under this name.
  case unknownSession(String)
  /// The change would leave nobody who may administer the server.
  case lastOwner
  /// A working key with this value exists already, in this or another project.
  case keyInUse
  /// The project has a stream of this name and kind already.
  case streamInUse(String)
  /// The project has no stream of this name and kind.
  case unknownStream(String)
  /// The project has no segment with this number.
  case unknownSegment(Int64)
  /// The project has no list with this number.
  case unknownList(Int64)
  /// The project has no board of this number.
  case unknownBoard(Int64)
  /// The board has no card of this number.
  case unknownCard(Int64)
  /// The board has no link of this number.
  case unknownLink(Int64)
  /// The project has no alert of this number.
  case unknownAlert(Int64)
  /// The project keeps no statement of this number.
  case unknownStatement(Int64)
  /// There is no job of this number, or not any more.
  case unknownJob(Int64)
  /// The job is over and cannot be cancelled.
  case jobIsOver(Int64)
  /// An erasure that began goes on to its end.
  case erasureUnderWay(Int64)
  /// So many jobs wait already that no other is taken.
  case tooManyJobs
  /// A value was refused before anything was written; `reason` is a sentence for the person who entered it.
  case invalid(field: String, reason: String)
  /// Another process kept the file locked for longer than the catalogue waits (5 s).
  case busy
  /// The library refused to make a password hash, which it does when memory is short (64 MiB).
  case passwordHashing
  /// The file with the key that secrets are encrypted under cannot be used.
  case masterKey(path: String, reason: String)
  /// A file cannot be used, for a reason that an operator can mend.
  case file(path: String, FileTrouble)
  /// SQLite failed: what we were doing, its result code and its message.
  case sqlite(operation: String, code: Int32, message: String)
}

extension CatalogError: CustomStringConvertible {
  /// One sentence, without keys or tokens.
  public var description: String {
    switch self {
    case .newerFormat(let found, let supported, let needs):
      "The catalogue has format \(found) and this program reads up to \(supported): "
        + "use Footfall \(needs) or newer."
    case .unknownProject(let id): "There is no project \(id)."
    case .unknownKey(let id): "There is no key \(id) in this project."
    case .unknownUser(let name): "There is no user \(name)."
    case .userExists(let name): "There is a user \(name) already."
    case .unknownSession(let id): "There is no session \(id)."
    case .lastOwner: "Someone must stay owner: make another person owner first."
    case .keyInUse: "This key is in use already; revoke it there first."
    case .streamInUse(let name): "The project has a stream \(name) already."
    case .unknownStream(let name): "The project has no stream \(name)."
    case .unknownSegment(let id): "There is no segment \(id) in this project."
    case .unknownList(let id): "There is no list \(id) in this project."
    case .unknownBoard(let id): "There is no board \(id) in this project."
    case .unknownCard(let id): "There is no card \(id) on this board."
    case .unknownLink(let id): "This board has no link \(id)."
    case .unknownAlert(let id): "There is no alert \(id) in this project."
    case .unknownStatement(let id): "There is no statement \(id) in this project."
    case .unknownJob(let id): "There is no job \(id)."
    case .jobIsOver(let id): "Job \(id) is over; there is nothing to cancel."
    case .erasureUnderWay(let id): "Job \(id) is an erasure under way, which goes on to its end."
    case .tooManyJobs:
      "\(Catalog.maxWaitingJobs) jobs wait already; try again when some are done, or cancel some."
    case .invalid(_, let reason): reason
    case .busy: "Another process keeps the catalogue locked; nothing was changed after waiting 5 s."
    case .passwordHashing: "The password could not be hashed: 64 MiB of memory are needed for it."
    case .masterKey(let path, let reason):
      "\(path), under which the secrets of AWS keys are encrypted, cannot be used: \(reason)."
    case .file(let path, let trouble): trouble.text(of: path)
    case .sqlite(let operation, let code, let message):
      "The catalogue failed at \(operation): \(message) (SQLite code \(code))."
    }
  }
}
