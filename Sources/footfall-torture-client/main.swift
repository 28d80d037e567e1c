/// The client that `script/torture` kills.
///
/// It tracks numbered events through the SDK and notes each id, with the time, once `track` has
/// returned; with `--drain` it only sends what an earlier run left, and its status says whether any
/// is left still. A note is one line, `id nanoseconds`, written with one call to a file opened for
/// appending: a kill leaves every line whole but perhaps the last.

import Dispatch
import Footfall
import Foundation

/// The value after an option; the caller is a script of ours, so a missing one ends the program.
func option(_ name: String) -> String {
  let words = CommandLine.arguments
  guard let at = words.firstIndex(of: name), words.indices.contains(at + 1) else {
    FileHandle.standardError.write(Data("footfall-torture-client needs \(name) VALUE.\n".utf8))
    exit(2)
  }
  return words[at + 1]
}

/// The value after an option as a number.
func number(_ name: String) -> Int {
  guard let value = Int(option(name)) else {
    FileHandle.standardError.write(Data("\(name) takes a number.\n".utf8))
    exit(2)
  }
  return value
}

/// An id that says whose it is and which: a listing of ids is enough to compare.
///
/// Even clients send ids of the present, as the SDK makes them, odd ones ids without a time: the
/// server looks for repeats of the two in different ways.
func eventID(client: Int, number: Int) -> String {
  func digits(_ value: Int, _ count: Int, radix: Int = 10) -> String {
    let text = String(value, radix: radix)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
  let now = client.isMultiple(of: 2) ? Int(Date().timeIntervalSince1970 * 1_000) : 0
  let time = digits(now, 12, radix: 16)
  return "\(time.prefix(8))-\(time.suffix(4))-7000-8\(digits(client, 3))-\(digits(number, 12))"
}

// SIGTERM ends it as a system ends an app: in order, with the time `shutdown` takes. Blocked before the
// SDK starts its threads, it waits until the loop looks.
var end = sigset_t()
sigemptyset(&end)
sigaddset(&end, SIGTERM)
pthread_sigmask(SIG_BLOCK, &end, nil)

guard let endpoint = URL(string: option("--endpoint")) else { exit(2) }
var configuration = FootfallClient.Configuration(key: option("--key"), endpoint: endpoint)
configuration.storage.folder = option("--storage")
// Half a second makes more uploads to break; the measurement of delays wants the app's usual ones.
if !CommandLine.arguments.contains("--usual-interval") {
  configuration.delivery.intervalSeconds = 0.5
}
let footfall = FootfallClient(configuration)

if CommandLine.arguments.contains("--drain") {
  let report = await footfall.flush()
  print(
    "drained \(report.delivered), kept \(report.kept), problem \(String(describing: report.problem))"
  )
  let isDone = report.kept == 0 && report.problem == nil
  footfall.shutdown()
  exit(isDone ? 0 : 1)
}

let notes = open(option("--notes"), O_WRONLY | O_APPEND | O_CREAT, 0o644)
let client = number("--client")
let first = number("--first")
let pause = 1 / Double(max(1, number("--rate")))

/// Whether SIGTERM has arrived.
func isAskedToEnd() -> Bool {
  var pending = sigset_t()
  sigpending(&pending)
  return sigismember(&pending, SIGTERM) == 1
}

let start = DispatchTime.now().uptimeNanoseconds
var count = 0
while !isAskedToEnd() {
  let id = eventID(client: client, number: first + count)
  footfall.track("Torture", ["n": .integer(Int64(first + count))], EventOptions(id: id))
  // CLOCK_MONOTONIC on Linux, the clock by which the script dates its kills.
  let line = Array("\(id) \(DispatchTime.now().uptimeNanoseconds)\n".utf8)
  guard write(notes, line, line.count) == line.count else { exit(3) }
  count += 1
  let due = start + UInt64(Double(count) * pause * 1e9)
  let now = DispatchTime.now().uptimeNanoseconds
  if due > now { usleep(UInt32((due - now) / 1_000)) }
}
footfall.shutdown()
