import CSodium
import FootfallSystem
import Foundation

/// Projects, keys, people who may sign in, and their sessions, in one SQLite file.
///
/// Any thread and any number of processes may use the same file. Every call except
/// `resolve(ingestKey:)` runs SQL on the caller's thread: fast (well under a millisecond for
/// reads, one disk sync for writes), but blocking; a write waits up to 5 s for another process.
public final class Catalog: Sendable {
  let clock: CatalogClock
  /// Where the key lies under which secrets are encrypted: beside the catalogue, for its owner alone.
  let masterKeyPath: String
  /// How many jobs were asked for in this process; see `waitForJobs`.
  let jobsAdded = Monitor(0)
  private let writer: Lock<Database>
  private let reader: Lock<Reader>
  private let keys: Lock<KeyCache>

  /// The connection that reads, and the file's version when it last looked at the keys.
  private struct Reader {
    let database: Database
    var version: Int64
  }

  /// What requests are checked with, as it stands in the file.
  ///
  /// A class, though it never changes: every request takes it several times, and copies of all its parts
  /// would be counted up and down by all threads at once.
  final class KnownKeys: Sendable {
    let ingest: KeyIndex
    let aws: AWSKeyRing
    let apps: [String: PinpointApp]
    let streams: StreamIndex
    let blocked: [UInt32: BlockedNames]

    init(
      ingest: KeyIndex = KeyIndex([]),
      aws: AWSKeyRing = AWSKeyRing(),
      apps: [String: PinpointApp] = [:],
      streams: StreamIndex = StreamIndex(),
      blocked: [UInt32: BlockedNames] = [:]
    ) {
      self.ingest = ingest
      self.aws = aws
      self.apps = apps
      self.streams = streams
      self.blocked = blocked
    }
  }

  private struct KeyCache {
    var known: KnownKeys
    var checkedNs: UInt64
  }

  /// Opens the catalogue, makes it if it is missing (mode 0600), and brings it to the current format.
  ///
  /// - Parameter path: The file; its folder must exist.
  /// - Throws: `newerFormat` when a newer Footfall wrote it, else what SQLite says.
  public convenience init(path: String) throws(CatalogError) {
    try self.init(path: path, clock: .live)
  }

  package init(path: String, clock: CatalogClock) throws(CatalogError) {
    guard sodium_init() >= 0 else {
      throw .sqlite(operation: "start", code: 0, message: "no source of randomness")
    }
    let database = try Database(path: path, busyMs: 5_000)
    // Hashes of links, sessions and passwords are nobody else's business. SQLite gives its side
    // files the mode of the main file.
    chmod(path, 0o600)
    _ = try database.rows("PRAGMA journal_mode = WAL") { $0.text(0) }
    try Schema.migrate(database)
    database.emptyWriteAheadLog()
    var reading = Reader(database: try Database(path: path, busyMs: 5_000), version: -1)
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    masterKeyPath = (folder + ["master.key"]).joined(separator: "/")
    let known = try Self.changedKeys(&reading, masterKeyPath) ?? KnownKeys()
    // A start may wait; requests that need the keys may not.
    reading.database.patienceMs = 250
    self.clock = clock
    writer = Lock(database)
    reader = Lock(reading)
    keys = Lock(KeyCache(known: known, checkedNs: clock.monotonicNs()))
  }

  /// The format this program writes, as in `--version`.
  public static var format: Int { Schema.steps.count }

  /// What makes a file of an older format, for tests.
  package static func script(ofFormat format: Int) -> String { Schema.script(ofFormat: format) }

  func read<T>(_ body: (Database) throws(CatalogError) -> T) throws(CatalogError) -> T {
    try reader.withLock { (reader) throws(CatalogError) in try body(reader.database) }
  }

  /// Runs the body in a transaction; what it changes about keys is in effect when this returns.
  func write<T>(_ body: (Database) throws(CatalogError) -> T) throws(CatalogError) -> T {
    let result = try writer.withLock { (database) throws(CatalogError) in
      let result = try database.transaction { () throws(CatalogError) in try body(database) }
      database.emptyWriteAheadLog()
      return result
    }
    refreshKeys()
    return result
  }

  /// Sees that what was deleted or replaced is nowhere in the files any more; see `Database`.
  func leaveNothing() throws(CatalogError) {
    try writer.withLock { (database) throws(CatalogError) in try database.leaveNothing() }
  }
}

// MARK: - Keys in memory

extension Catalog {
  /// How old the snapshot may get before the next request looks for changes, in nanoseconds.
  private static let recheckNs: UInt64 = 400_000_000
  /// How old it must be for a key that it does not have to be looked for in the file, in nanoseconds.
  private static let missNs: UInt64 = 50_000_000
  /// The age at which a request no longer answers from it unchecked, in nanoseconds.
  private static let staleNs: UInt64 = 900_000_000

  /// Which project a key that came with a request may send events to.
  ///
  /// Any thread. Answers from memory; about twice a second one call also asks SQLite whether any
  /// process changed the file, so a change is in effect within 1 s. When the file cannot be read
  /// at that moment the keys known last go on working.
  ///
  /// A key that is not known may have been made by another process just now: then the file is asked at once,
  /// though not more often than every twentieth of a second.
  public func resolve(ingestKey: UnsafeRawBufferPointer) -> KeyResolution {
    let answer = currentKeys().ingest.resolve(ingestKey, nowMs: clock.nowMs)
    guard case .unknown = answer, let newer = keysAfterMiss() else { return answer }
    return newer.ingest.resolve(ingestKey, nowMs: clock.nowMs)
  }

  /// Which project a key that came with a request may send events to; as for bytes.
  public func resolve(ingestKey: String) -> KeyResolution {
    var key = ingestKey
    return key.withUTF8 { resolve(ingestKey: UnsafeRawBufferPointer($0)) }
  }

  /// What is known of a key that was just resolved; nil for one that is gone.
  public func facts(ofIngestKey id: Int64) -> KeyFacts? {
    keys.withLock { $0.known.ingest.facts(of: id) }
  }

  func currentKeys() -> KnownKeys {
    let now = clock.monotonicNs()
    let (known, mustCheck) = keys.withLock { cache in
      let age = now > cache.checkedNs ? now - cache.checkedNs : 0
      guard age > Self.recheckNs else { return (cache.known, false) }
      // Whoever takes the check moves the time on, so that the others answer meanwhile.
      if age < Self.staleNs { cache.checkedNs += Self.recheckNs / 2 }
      return (cache.known, true)
    }
    guard mustCheck else { return known }
    refreshKeys()
    return keys.withLock { $0.known }
  }

  /// The keys as the file has them now, for one that was not found; nil if it was asked a moment ago.
  func keysAfterMiss() -> KnownKeys? {
    let now = clock.monotonicNs()
    let isDue = keys.withLock { now > $0.checkedNs && now - $0.checkedNs > Self.missNs }
    guard isDue else { return nil }
    refreshKeys()
    return keys.withLock { $0.known }
  }

  /// Reads the keys again if any connection committed to the file since the last look.
  private func refreshKeys() {
    let started = clock.monotonicNs()
    let hasProblem = keys.withLock { $0.known.aws.problem != nil }
    reader.withLock { reader in
      // What AWS keys lack is in another file, whose change the database does not tell.
      if hasProblem { reader.version = -1 }
      let fresh: KnownKeys?
      do {
        fresh = try Self.changedKeys(&reader, masterKeyPath)
      } catch {
        // Refusing every app's events because one read failed would lose more than a revocation
        // that comes late; the next look is due soon.
        fresh = nil
      }
      // Still under the reader's lock, so that an older snapshot never replaces a newer one.
      keys.withLock { cache in
        if let fresh { cache.known = fresh }
        cache.checkedNs = max(cache.checkedNs, started)
      }
    }
  }

  private static func changedKeys(
    _ reader: inout Reader,
    _ masterKeyPath: String
  ) throws(CatalogError) -> KnownKeys? {
    let version = try reader.database.rows("PRAGMA data_version") { $0.integer(0) }.first ?? 0
    guard version != reader.version else { return nil }
    let entries = try reader.database.rows(
      """
      SELECT value, project, id, revoked_at IS NOT NULL, ends_at, kind, label, is_test FROM keys
      WHERE value IS NOT NULL AND kind <> 'aws' ORDER BY revoked_at IS NOT NULL, id
      """
    ) { row in
      KeyIndex.Entry(
        value: Array(row.text(0).utf8),
        resolution: row.integer(3) == 1
          ? .revoked : .project(row.project(1), keyID: row.integer(2)),
        endsAtMs: row.optionalInteger(4),
        facts: KeyFacts(
          kind: KeyKind(rawValue: row.text(5)) ?? .ingest,
          label: row.text(6),
          isTest: row.integer(7) == 1
        )
      )
    }
    let known = KnownKeys(
      ingest: KeyIndex(entries),
      aws: try AWSKeyRing(reader.database, masterKeyPath: masterKeyPath),
      apps: Dictionary(uniqueKeysWithValues: try apps(reader.database).map { ($0.id, $0) }),
      streams: StreamIndex(try streams(reader.database)),
      blocked: try blockedNames(reader.database)
    )
    reader.version = version
    return known
  }
}
