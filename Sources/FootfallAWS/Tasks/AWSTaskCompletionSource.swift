public import Foundation

/// Makes a task, and ends it.
///
/// Any thread. Safety: all it has is the task.
public final class AWSTaskCompletionSource<ResultType: AnyObject>: NSObject, @unchecked Sendable {
  /// The task.
  public let task = AWSTask<ResultType>(core: TaskCore())

  /// A source of a task that has not ended.
  public override init() {}

  /// Ends the task with a result, or with none.
  ///
  /// Ending a task twice is a mistake of the program, which a debug build stops at; otherwise the first
  /// end counts.
  public func set(result: ResultType?) {
    check(trySet(result: result))
  }

  /// Ends the task with an error; see `set(result:)` for a second end.
  public func set(error: any Error) {
    check(trySet(error: error))
  }

  /// Ends the task as cancelled; see `set(result:)` for a second end.
  public func cancel() {
    check(trySetCancelled())
  }

  /// Ends the task with a result, or with none; false if it had ended before.
  @discardableResult
  public func trySet(result: ResultType?) -> Bool { task.core.end(.result(result)) }

  /// Ends the task with an error; false if it had ended before.
  @discardableResult
  public func trySet(error: any Error) -> Bool { task.core.end(.error(error)) }

  /// Ends the task as cancelled; false if it had ended before.
  @discardableResult
  public func trySetCancelled() -> Bool { task.core.end(.cancelled) }

  private func check(_ isFirst: Bool) {
    assert(isFirst, "The task had ended before; use trySet… where that can happen.")
  }
}
