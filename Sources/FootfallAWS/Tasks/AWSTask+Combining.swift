import FootfallSystem
import Foundation

extension AWSTask {
  /// A task that ends once all of some have, without a result.
  ///
  /// It waits for all of them even if some fail. One failure is its error; several are in one error of
  /// the domain `AWSTaskErrorDomain` and the code `kAWSMultipleErrorsError`, under
  /// `AWSTaskMultipleErrorsUserInfoKey`. Without a failure, one that was cancelled cancels it. Of no
  /// tasks, it has ended at once.
  public convenience init(forCompletionOfAllTasks tasks: [AWSTask<AnyObject>]?) {
    self.init(core: TaskCore())
    TaskGroupEnd.all(tasks ?? []) { [core] outcome in core.end(outcome) }
  }

  /// As `init(forCompletionOfAllTasks:)`; the result is a list of the results, in the order of the
  /// tasks, with `NSNull` for none.
  public convenience init(forCompletionOfAllTasksWithResults tasks: [AWSTask<AnyObject>]?) {
    self.init(core: TaskCore())
    let tasks = tasks ?? []
    TaskGroupEnd.all(tasks) { [core] outcome in
      guard case .result = outcome else { return _ = core.end(outcome) }
      core.end(.result(NSArray(array: tasks.map { $0.result ?? NSNull() })))
    }
  }

  /// A task that ends with the first of some that ends well, with its result.
  ///
  /// If none does, it ends as `init(forCompletionOfAllTasks:)`. Of no tasks, it has ended at once.
  public convenience init(forCompletionOfAnyTask tasks: [AWSTask<AnyObject>]?) {
    self.init(core: TaskCore())
    let tasks = tasks ?? []
    for task in tasks {
      task.core.whenEnded { [core] in
        if let outcome = task.core.outcome, case .result = outcome { core.end(outcome) }
      }
    }
    TaskGroupEnd.all(tasks) { [core] outcome in core.end(outcome) }
  }
}

/// Tells how several tasks ended, taken together.
private enum TaskGroupEnd {
  static func all(_ tasks: [AWSTask<AnyObject>], _ tell: @escaping (TaskOutcome) -> Void) {
    guard !tasks.isEmpty else { return tell(.result(nil)) }
    let left = Lock(tasks.count)
    for task in tasks {
      task.core.whenEnded {
        let isLast = left.withLock { left in
          left -= 1
          return left == 0
        }
        if isLast { tell(outcome(of: tasks)) }
      }
    }
  }

  private static func outcome(of tasks: [AWSTask<AnyObject>]) -> TaskOutcome {
    let errors = tasks.compactMap(\.error)
    switch errors.count {
    case 0: return tasks.contains(where: \.isCancelled) ? .cancelled : .result(nil)
    case 1: return .error(errors[0])
    default: return .error(NSError.several(errors))
    }
  }
}

extension NSError {
  fileprivate static func several(_ errors: [any Error]) -> NSError {
    NSError(
      domain: AWSTaskErrorDomain,
      code: kAWSMultipleErrorsError,
      userInfo: [
        NSLocalizedDescriptionKey: "\(errors.count) tasks failed.",
        AWSTaskMultipleErrorsUserInfoKey: errors,
      ]
    )
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of errors that tasks make themselves.
public let AWSTaskErrorDomain = "bolts"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The code of an error that stands for several.
public let kAWSMultipleErrorsError = 80_175_001

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where an error that stands for several has them: a list of errors.
public let AWSTaskMultipleErrorsUserInfoKey = "errors"
