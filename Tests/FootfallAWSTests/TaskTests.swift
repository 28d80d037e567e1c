import FootfallAWS
import FootfallSystem
import Foundation
import Testing

private struct Broken: Error, Hashable {
  var number = 0
}

/// What blocks saw, in the order they ran.
private final class Seen: Sendable {
  private let list = Lock<[String]>([])
  var all: [String] { list.withLock { $0 } }
  func add(_ text: String) { list.withLock { $0.append(text) } }
}

@Suite(.timeLimit(.minutes(5))) struct `Tasks` {
  @Test
  func `AWS-X1: a task that a block returns is waited for, and its result is the outer one's`() {
    let outer = AWSTask<NSString>(result: "go").continueWith { _ in
      AWSTask<AnyObject>(delay: 50).continueWith { _ in NSNumber(value: 42) }
    }
    #expect(!outer.isCompleted)
    outer.waitUntilFinished()
    #expect((outer.result as? NSNumber)?.intValue == 42 && outer.error == nil)
    #expect(!(outer.result is AWSTask<AnyObject>))
  }

  @Test func `a task inside an optional is waited for too, and its failure passed on`() {
    let source = AWSTaskCompletionSource<NSNumber>()
    let inner: AWSTask<NSNumber>? = source.task
    let outer = AWSTask<AnyObject>(result: nil).continueOnSuccessWith {
      (_: AWSTask<AnyObject>) -> AWSTask<NSNumber>? in inner
    }
    #expect(!outer.isCompleted)
    source.set(error: Broken(number: 3))
    #expect(outer.error as? Broken == Broken(number: 3) && outer.isFaulted)
  }

  @Test
  func `AWS-X2: after a failure a block for success is skipped, and the next one sees the error`() {
    let seen = Seen()
    let failed = AWSTask<AnyObject>(error: Broken(number: 7))
    failed.continueOnSuccessWith { _ in
      seen.add("success")
      return nil
    }.continueWith { task in
      seen.add("\((task.error as? Broken)?.number ?? 0)")
      return nil
    }.waitUntilFinished()
    #expect(seen.all == ["7"])
    let cancelled = AWSTask<AnyObject>.cancelled().continueOnSuccessWith { _ in
      seen.add("success")
      return nil
    }
    #expect(cancelled.isCancelled && !cancelled.isFaulted && seen.all == ["7"])
  }

  @Test func `AWS-X3: all of 101 tasks are waited for, and two failures are in one error`() throws {
    let sources = (0...100).map { _ in AWSTaskCompletionSource<AnyObject>() }
    let all = AWSTask<AnyObject>(forCompletionOfAllTasks: sources.map(\.task))
    for (place, source) in sources.enumerated() where place != 50 {
      if place == 7 || place == 9 {
        source.set(error: Broken(number: place))
      } else {
        source.set(result: nil)
      }
    }
    #expect(!all.isCompleted)
    sources[50].set(result: nil)
    #expect(all.isCompleted && all.isFaulted)
    let error = try #require(all.error as? NSError)
    #expect(error.domain == AWSTaskErrorDomain && error.code == kAWSMultipleErrorsError)
    let inside = error.userInfo[AWSTaskMultipleErrorsUserInfoKey] as? [any Error]
    #expect(inside?.compactMap { ($0 as? Broken)?.number } == [7, 9])
    #expect(AWSTask<AnyObject>(forCompletionOfAllTasks: []).isCompleted)
    #expect(AWSTask<AnyObject>(forCompletionOfAllTasks: nil).isCompleted)
  }

  @Test func `one failure of several is that error, and without one a cancellation counts`() {
    let fine = AWSTask<AnyObject>(result: nil)
    let one = AWSTask<AnyObject>(forCompletionOfAllTasks: [
      fine, AWSTask(error: Broken(number: 1)), .cancelled(),
    ])
    #expect(one.error as? Broken == Broken(number: 1))
    #expect(AWSTask<AnyObject>(forCompletionOfAllTasks: [fine, .cancelled()]).isCancelled)
  }

  @Test func `results of all come in the order of the tasks`() {
    let last = AWSTaskCompletionSource<AnyObject>()
    let all = AWSTask<NSArray>(forCompletionOfAllTasksWithResults: [
      last.task, AWSTask(result: "b" as NSString), AWSTask(result: nil),
    ])
    last.set(result: "a" as NSString)
    #expect(all.result?.count == 3)
    #expect(all.result?[0] as? String == "a" && all.result?[1] as? String == "b")
    #expect(all.result?[2] is NSNull)
  }

  @Test func `of any, the first that ends well counts; if none does, their failure`() {
    let late = AWSTaskCompletionSource<AnyObject>()
    let any = AWSTask<AnyObject>(forCompletionOfAnyTask: [
      AWSTask(error: Broken()), late.task, .cancelled(),
    ])
    #expect(!any.isCompleted)
    late.set(result: "x" as NSString)
    #expect(any.result as? NSString == "x")
    let none = AWSTask<AnyObject>(forCompletionOfAnyTask: [AWSTask(error: Broken(number: 5))])
    #expect(none.error as? Broken == Broken(number: 5))
  }

  @Test func `a source ends its task once; trying again says that it did not`() {
    let source = AWSTaskCompletionSource<NSString>()
    #expect(!source.task.isCompleted)
    #expect(source.trySet(result: "first"))
    #expect(!source.trySet(error: Broken()) && !source.trySetCancelled())
    #expect(source.task.result == "first" && source.task.error == nil)
  }

  @Test func `blocks run where their executor says, in whatever order tasks end`() {
    let seen = Seen()
    let queue = DispatchQueue(label: "test")
    queue.setSpecific(key: Self.key, value: "queue")
    let source = AWSTaskCompletionSource<NSString>()
    let onQueue = source.task.continueWith(executor: AWSExecutor(dispatchQueue: queue)) { _ in
      DispatchQueue.getSpecific(key: Self.key)
    }
    let held = source.task.continueOnSuccessWith(
      executor: AWSExecutor { block in
        seen.add("handed")
        block()
      }
    ) { $0.result }
    source.set(result: "x")
    onQueue.waitUntilFinished()
    held.waitUntilFinished()
    #expect(onQueue.result as? String == "queue" || onQueue.result as? NSString == "queue")
    #expect(seen.all == ["handed"] && held.result as? NSString == "x")
    let operations = OperationQueue()
    let done = source.task.continueWith(executor: AWSExecutor(operationQueue: operations)) { _ in
      OperationQueue.current === operations
    }
    done.waitUntilFinished()
    #expect((done.result as? NSNumber)?.boolValue == true)
  }

  private static let key = DispatchSpecificKey<String>()

  @Test func `a chain of 20,000 blocks needs no deep stack`() {
    let source = AWSTaskCompletionSource<AnyObject>()
    let count = Lock(0)
    var last = source.task
    for _ in 0..<20_000 {
      last = last.continueWith { _ in
        count.withLock { $0 += 1 }
        return nil
      }
    }
    source.set(result: nil)
    last.waitUntilFinished()
    #expect(count.withLock { $0 } == 20_000)
  }
}
