import FootfallAWS
import FootfallCore
import FootfallJournal
import FootfallPlatform
import FootfallSystem
import Foundation

/// What a recorder does on its own queue: it saves, chooses what is sent, and settles answers.
///
/// Safety: it is touched on the recorder's queue alone.
final class RecorderWorker: @unchecked Sendable {
  private let service: StreamService
  private let folder: String
  private let environment: Environment
  private let board: RecorderBoard
  private var store: RecordStore?
  private var submission: SubmissionCore?
  /// The records of the request whose answer is awaited.
  private var onTheirWay: Set<UInt64> = []
  private var waiting: [AWSTaskCompletionSource<AnyObject>] = []
  /// Damage that the next submission's task has to tell of.
  private var untoldDamage: String?
  private var random: RandomBytes
  private var lastSync = MonotonicTime(nanoseconds: 0)

  /// The largest record, in bytes.
  ///
  /// Source: `aws.md` section 3.6.
  static let recordLimit = 262_144
  /// How often saved records are made to survive a power cut at most, in seconds.
  private static let syncSeconds = 1.0

  init(
    _ service: StreamService,
    folder: String,
    environment: Environment,
    board: RecorderBoard
  ) {
    self.service = service
    self.folder = folder
    self.environment = environment
    self.board = board
    random = RandomBytes(environment.random)
  }

  private var nowMilliseconds: Int64 { Timestamp.milliseconds(of: environment.clocks.now()) }

  /// Opens the store, unless it is open.
  @discardableResult
  func open() throws(JournalError) -> RecordStore {
    if let store { return store }
    let bits = Lock(RandomBytes(environment.random))
    let opened = try RecordStore(
      folder: folder,
      files: environment.files,
      random: { bits.withLock { $0.next() } }
    )
    environment.prepareFolder(folder)
    store = opened
    if let damage = opened.damage {
      untoldDamage = damage
      environment.log.error(damage)
      board.drop(AWSRecorderDrop(.damaged, count: 1, message: damage))
    }
    board.show(bytes: opened.index.bytes)
    return opened
  }

  // MARK: Saving

  /// Saves a record, and ends a task.
  func save(
    _ data: [UInt8],
    stream: String,
    partitionKey: String?,
    _ task: AWSTaskCompletionSource<AnyObject>
  ) {
    let settings = board.settings
    do throws(JournalError) {
      let store = try open()
      let before = store.index.bytes
      try store.save(
        data,
        stream: stream,
        partitionKey: partitionKey ?? newKey(),
        nowMilliseconds: nowMilliseconds
      )
      keepLimits(store, settings, lookingAtAll: false)
      syncNowAndThen(store)
      board.show(bytes: store.index.bytes)
      let threshold = Int(clamping: settings.notificationBytes)
      if threshold > 0, before <= threshold, store.index.bytes > threshold {
        board.notify(service, bytes: store.index.bytes)
      }
      task.end()
    } catch {
      let reason: AWSRecorderDrop.Reason = error == .diskFull ? .diskFull : .storageFailed
      board.drop(AWSRecorderDrop(reason, count: 1, streamName: stream, message: "\(error)"))
      task.end(service.error(error))
    }
  }

  /// A random UUID, by which records spread over the shards.
  private func newKey() -> String {
    var bytes: [UInt8] = []
    for word in [random.next(), random.next()] {
      withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
    // A UUID of version 4, as RFC 9562 marks it.
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    var uuid = zeroUUID
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
    return UUID(uuid: uuid).uuidString
  }

  /// Gives up what is too old, then the oldest of what is too much; never what the service may have by
  /// now.
  private func keepLimits(
    _ store: RecordStore,
    _ settings: RecorderSettings,
    lookingAtAll: Bool
  ) {
    let old = store.index.expired(
      nowMilliseconds: nowMilliseconds,
      limitSeconds: settings.diskAgeSeconds,
      among: lookingAtAll,
      sparing: onTheirWay
    )
    forget(old, in: store)
    if !old.isEmpty { board.drop(AWSRecorderDrop(.tooOld, count: old.count)) }
    let excess = store.index.excess(
      limitBytes: Int(clamping: settings.diskBytes),
      sparing: onTheirWay
    )
    forget(excess, in: store)
    if !excess.isEmpty { board.drop(AWSRecorderDrop(.backlogFull, count: excess.count)) }
  }

  private func forget(_ ids: [UInt64], in store: RecordStore) {
    do throws(JournalError) { try store.remove(ids) } catch {
      environment.log.warning("Records that are gone could not be removed from disk: \(error)")
    }
  }

  private func syncNowAndThen(_ store: RecordStore) {
    let now = environment.clocks.monotonic()
    guard now >= lastSync.advanced(bySeconds: Self.syncSeconds) else { return }
    lastSync = now
    sync(store)
  }

  private func sync(_ store: RecordStore) {
    do throws(JournalError) { try store.sync() } catch {
      environment.log.warning("Saved records may not survive a power cut: \(error)")
    }
  }

  /// Removes every record, and ends a task.
  func removeAll(_ task: AWSTaskCompletionSource<AnyObject>) {
    do throws(JournalError) {
      let store = try open()
      try store.removeAll()
      board.show(bytes: store.index.bytes)
      task.end()
    } catch {
      task.end(service.error(error))
    }
  }

  // MARK: Submitting

  /// Begins a submission of what is stored, or joins the one under way; true if it has to be driven.
  func submit(_ task: AWSTaskCompletionSource<AnyObject>) -> Bool {
    let store: RecordStore
    do throws(JournalError) { store = try open() } catch {
      task.end(service.error(error))
      return false
    }
    keepLimits(store, board.settings, lookingAtAll: true)
    board.show(bytes: store.index.bytes)
    waiting.append(task)
    if submission != nil {
      submission?.join(through: store.index.newestID)
      return false
    }
    sync(store)
    submission = SubmissionCore(through: store.index.newestID)
    return true
  }

  /// What a submission sends next.
  struct Sending: Sendable {
    var batch: SubmissionCore.Batch
    var records: [StreamRecord]
  }

  /// The next batch of the submission; nil once it is over, and then its tasks have ended.
  func nextBatch() -> Sending? {
    guard let store else { return nil }
    while let batch = store.next(&submission, board.settings.batch) {
      do throws(JournalError) {
        let (records, lost) = try store.load(batch.ids)
        if !lost.isEmpty {
          forget(lost, in: store)
          board.show(bytes: store.index.bytes)
          board.drop(AWSRecorderDrop(.damaged, count: lost.count, streamName: batch.stream))
        }
        guard !records.isEmpty else { continue }
        let read = SubmissionCore.Batch(stream: batch.stream, ids: records.map(\.id))
        onTheirWay = Set(read.ids)
        return Sending(batch: read, records: records)
      } catch {
        endSubmission(service.error(error))
        return nil
      }
    }
    let damage = untoldDamage
    untoldDamage = nil
    endSubmission(service.error(submission?.problems ?? []) ?? damage.map { service.error($0) })
    return nil
  }

  private func endSubmission(_ error: NSError?) {
    submission = nil
    onTheirWay = []
    let ended = waiting
    waiting = []
    for task in ended { task.end(error) }
  }

  /// Takes the answer to a batch.
  func receive(_ response: UploadResponse, for sending: Sending) {
    onTheirWay = []
    guard let store, submission != nil else { return }
    let answer = service.answer(response, records: sending.records.count)
    let effects =
      submission?.receive(
        answer,
        for: sending.batch,
        in: store.index,
        mostTries: UInt32(clamping: board.settings.mostTries)
      ) ?? []
    for effect in effects { perform(effect, in: store) }
    board.show(bytes: store.index.bytes)
  }

  private func perform(_ effect: SubmissionCore.Effect, in store: RecordStore) {
    switch effect {
    case .delivered(let ids):
      // Some may have been removed by the app meanwhile.
      forget(ids, in: store)
    case .countTry(let ids):
      do throws(JournalError) { try store.countTry(of: ids) } catch {
        environment.log.warning("It could not be stored how often records failed: \(error)")
      }
    case .drop(let all, let reason, let stream, let problem):
      // What the app removed meanwhile is no loss.
      let ids = all.filter { store.index[$0] != nil }
      guard !ids.isEmpty else { return }
      forget(ids, in: store)
      var message = ""
      if case .service(let name, let words)? = problem { message = "\(name): \(words)" }
      board.drop(
        AWSRecorderDrop(reason, count: ids.count, streamName: stream, message: message)
      )
    }
  }
}

/// A UUID of nothing but zeros, to be filled.
private let zeroUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

extension RecordStore {
  /// The next batch of a submission that is under way.
  fileprivate func next(
    _ submission: inout SubmissionCore?,
    _ limits: RecordIndex.BatchLimits
  ) -> SubmissionCore.Batch? {
    submission?.next(&index, limits)
  }
}
