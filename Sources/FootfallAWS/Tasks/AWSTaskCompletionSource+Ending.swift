package import Foundation

extension AWSTaskCompletionSource where ResultType == AnyObject {
  /// Ends the task without a result or with an error, on a thread of the system's: what the app does
  /// then may wait for whoever ends it.
  package func end(_ error: NSError? = nil) {
    DispatchQueue.global().async { [self] in
      if let error { trySet(error: error) } else { trySet(result: nil) }
    }
  }
}
