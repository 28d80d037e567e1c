import FootfallAWS
import FootfallPlatform
import FootfallSystem
import Foundation

/// A recorder of one service and key: everything it keeps and does, behind the names of the documented
/// classes.
///
/// What is asked for is done in the order it was asked, on a queue of its own that never waits for the
/// network. Any thread.
final class StreamRecorder: Sendable {
  let board: RecorderBoard
  private let service: StreamService
  private let worker: RecorderWorker
  private let queue: DispatchQueue
  /// What was asked for and not done yet, in its order; whoever finds it empty wakes the queue.
  private let asked = Lock<[Request]>([])
  private let sender: RecordSender
  private let address: String
  private let timeoutSeconds: Double

  init(_ service: StreamService, _ place: ServicePlace, key: String, in environment: Environment) {
    let name = service == .kinesis ? "Kinesis" : "Firehose"
    let folder = [
      place.storageFolder ?? environment.storage.path, name,
      RequestSigner.encoded(key, keepingSlashes: false),
    ].joined(separator: "/")
    self.service = service
    board = RecorderBoard(log: environment.log)
    worker = RecorderWorker(service, folder: folder, environment: environment, board: board)
    queue = DispatchQueue(label: "footfall.recorder.\(name)")
    sender = RecordSender(
      transport: place.transport(environment.transport, in: environment),
      resends: place.resends,
      sleep: environment.sleep,
      clock: environment.clocks.now,
      random: Lock(RandomBytes(environment.random))
    )
    address = place.endpoint.address
    timeoutSeconds = place.timeoutSeconds
  }

  /// The bytes kept; waits for the store to be opened, once.
  var bytes: Int {
    if let bytes = board.bytes { return bytes }
    return queue.sync {
      do { try worker.open() } catch {
        // The next save or submission says so.
      }
      return board.bytes ?? 0
    }
  }

  /// Saves a record.
  func save(_ data: Data?, stream: String?, partitionKey: String?) -> AWSTask<AnyObject> {
    guard let data, let stream, !stream.isEmpty else {
      return AWSTask(error: service.error("A record needs data and the name of a stream."))
    }
    guard data.count <= RecorderWorker.recordLimit else {
      return AWSTask(
        error: service.error(
          "The record has \(data.count) bytes; the limit is \(RecorderWorker.recordLimit). "
            + "It is not saved: divide it.",
          isTooLarge: true
        )
      )
    }
    let task = AWSTaskCompletionSource<AnyObject>()
    ask(.save(data, stream: stream, partitionKey: partitionKey, task))
    return task.task
  }

  /// Sends everything saved before the call.
  func submit() -> AWSTask<AnyObject> {
    let task = AWSTaskCompletionSource<AnyObject>()
    ask(.submit(task))
    return task.task
  }

  /// Removes everything saved before the call.
  func removeAll() -> AWSTask<AnyObject> {
    let task = AWSTaskCompletionSource<AnyObject>()
    ask(.removeAll(task))
    return task.task
  }

  private enum Request {
    case save(Data, stream: String, partitionKey: String?, AWSTaskCompletionSource<AnyObject>)
    case submit(AWSTaskCompletionSource<AnyObject>)
    case removeAll(AWSTaskCompletionSource<AnyObject>)
  }

  /// Leaves a request for the queue; waking it takes longer than all the rest, so that is done once for many.
  private func ask(_ request: Request) {
    let isFirst = asked.withLock { asked in
      asked.append(request)
      return asked.count == 1
    }
    if isFirst { queue.async { [self] in answerAll() } }
  }

  private func answerAll() {
    let requests = asked.withLock { asked in
      defer { asked = [] }
      return asked
    }
    for request in requests {
      switch request {
      case .save(let data, let stream, let partitionKey, let task):
        worker.save([UInt8](data), stream: stream, partitionKey: partitionKey, task)
      case .submit(let task): if worker.submit(task) { Task { await drive() } }
      case .removeAll(let task): worker.removeAll(task)
      }
    }
  }

  private func drive() async {
    while let sending = await onQueue({ $0.nextBatch() }) {
      let request = service.request(
        sending.records,
        stream: sending.batch.stream,
        address: address,
        timeoutSeconds: timeoutSeconds
      )
      let response = await sender.send(request)
      await onQueue { $0.receive(response, for: sending) }
    }
  }

  private func onQueue<Result: Sendable>(
    _ body: @escaping @Sendable (RecorderWorker) -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { [worker] in continuation.resume(returning: body(worker)) }
    }
  }
}
