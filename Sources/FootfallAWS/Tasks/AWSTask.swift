public import Foundation

/// Something that ends later: with a result, an error or a cancellation.
///
/// Any thread. Blocks run on the thread that ends the task, or at once on the caller's if it has ended,
/// unless an executor says otherwise.
///
/// Safety: a task hands its result and its blocks from thread to thread, as in the documented product;
/// whoever puts an object in answers for its being usable from another thread. Everything else is in
/// `TaskCore`, behind a lock.
public final class AWSTask<ResultType: AnyObject>: NSObject, @unchecked Sendable, CoreOwner {
  let core: TaskCore

  init(core: TaskCore) {
    self.core = core
  }

  /// A task that has ended with a result, or with none.
  public convenience init(result: ResultType?) {
    self.init(core: TaskCore())
    core.end(.result(result))
  }

  /// A task that has failed.
  public convenience init(error: any Error) {
    self.init(core: TaskCore())
    core.end(.error(error))
  }

  /// A task that was cancelled.
  public static func cancelled() -> AWSTask<ResultType> {
    let core = TaskCore()
    core.end(.cancelled)
    return AWSTask(core: core)
  }

  /// A task that ends without a result after some milliseconds.
  public convenience init(delay milliseconds: Int32) {
    self.init(core: TaskCore())
    let core = core
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds))) {
      core.end(.result(nil))
    }
  }

  /// The result; nil if there is none, or not yet.
  public var result: ResultType? {
    guard case .result(let value)? = core.outcome else { return nil }
    return value as? ResultType
  }

  /// Why it failed; nil if it did not, or not yet.
  public var error: (any Error)? {
    guard case .error(let error)? = core.outcome else { return nil }
    return error
  }

  /// Whether it ended by being cancelled.
  public var isCancelled: Bool {
    guard case .cancelled? = core.outcome else { return false }
    return true
  }

  /// Whether it failed.
  public var isFaulted: Bool { error != nil }

  /// Whether it has ended, however.
  public var isCompleted: Bool { core.outcome != nil }

  /// Runs a block once this task has ended, however it did.
  ///
  /// - Parameter block: Gets this task. A task that it returns is waited for, and ends the new one as it
  ///   ends; any other value is the new one's result.
  /// - Returns: A task that ends with what the block returns.
  @discardableResult
  public func continueWith(
    block: @escaping (AWSTask<ResultType>) -> Any?
  ) -> AWSTask<AnyObject> {
    continueWith(executor: .default(), block: block)
  }

  /// Runs a block somewhere once this task has ended, however it did; see `continueWith(block:)`.
  @discardableResult
  public func continueWith(
    executor: AWSExecutor,
    block: @escaping (AWSTask<ResultType>) -> Any?
  ) -> AWSTask<AnyObject> {
    let next = AWSTask<AnyObject>(core: TaskCore())
    core.whenEnded { [self] in
      executor.execute { next.core.end(with: block(self)) }
    }
    return next
  }

  /// Runs a block once this task has ended well; an error or a cancellation is passed on instead.
  ///
  /// - Parameter block: As for `continueWith(block:)`.
  /// - Returns: A task that ends with what the block returns, or as this one.
  @discardableResult
  public func continueOnSuccessWith(
    block: @escaping (AWSTask<ResultType>) -> Any?
  ) -> AWSTask<AnyObject> {
    continueOnSuccessWith(executor: .default(), block: block)
  }

  /// Runs a block somewhere once this task has ended well; see `continueOnSuccessWith(block:)`.
  @discardableResult
  public func continueOnSuccessWith(
    executor: AWSExecutor,
    block: @escaping (AWSTask<ResultType>) -> Any?
  ) -> AWSTask<AnyObject> {
    continueWith(executor: executor) { task in
      task.isFaulted || task.isCancelled ? task : block(task)
    }
  }

  /// Blocks the calling thread until the task has ended.
  ///
  /// Not on a thread that something else needs to end the task, such as the main thread.
  public func waitUntilFinished() {
    core.wait()
  }
}
