public import Foundation

/// Where the blocks of a task run.
///
/// Safety: never changes, and its block is one that any thread may call.
public final class AWSExecutor: NSObject, @unchecked Sendable {
  private let run: (@escaping () -> Void) -> Void

  /// An executor that hands every block to a block.
  public init(block: @escaping (@escaping () -> Void) -> Void) {
    run = block
  }

  /// An executor that runs blocks on a queue.
  public convenience init(dispatchQueue: DispatchQueue) {
    self.init { block in
      let block = HandedBlock(block)
      dispatchQueue.async { block.run() }
    }
  }

  /// An executor that runs blocks as operations of a queue.
  public convenience init(operationQueue: OperationQueue) {
    self.init { block in
      let block = HandedBlock(block)
      operationQueue.addOperation { block.run() }
    }
  }

  /// Runs blocks on the thread that ends the task, and on another where that nests too deep.
  public static func `default`() -> AWSExecutor { shallow }

  /// Runs blocks on the thread that ends the task.
  public static func immediate() -> AWSExecutor { direct }

  /// Runs blocks on the main thread: at once if that is where the task ended, else by its queue.
  public static func mainThread() -> AWSExecutor { main }

  /// Runs a block as this executor does.
  public func execute(_ block: @escaping () -> Void) {
    run(block)
  }

  private static let direct = AWSExecutor { $0() }

  private static let main = AWSExecutor { block in
    guard !Thread.isMainThread else { return block() }
    let block = HandedBlock(block)
    DispatchQueue.main.async { block.run() }
  }

  /// How many blocks may run inside each other; a stack of 512 KB holds some hundreds.
  private static let depthLimit = 50
  private static let depthKey = "footfall.task.depth"

  private static let shallow = AWSExecutor { block in
    let thread = Thread.current.threadDictionary
    let depth = thread[depthKey] as? Int ?? 0
    guard depth < depthLimit else {
      let block = HandedBlock(block)
      return DispatchQueue.global().async { block.run() }
    }
    thread[depthKey] = depth + 1
    block()
    thread[depthKey] = depth
  }
}

/// A block on its way to another thread.
///
/// Safety: it runs once, there; whoever made it has given it away.
private struct HandedBlock: @unchecked Sendable {
  let run: () -> Void

  init(_ run: @escaping () -> Void) {
    self.run = run
  }
}
