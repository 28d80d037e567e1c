import EventRecord
import Foundation

/// One benchmark program.
struct Benchmark: Sendable {
  /// What it is chosen by.
  let name: String
  /// Whether it only runs when named, since it needs programs that are not ours.
  var needsOtherPrograms = false
  /// Runs it and prints its results.
  let run: @Sendable () throws -> Void
}

/// One result, printed as the line `script/bench` reads.
struct BenchResult {
  /// Names the result for ever.
  let id: String
  /// What was measured, in words.
  let what: String
  /// The number.
  let measured: Double
  /// Its unit; one with an `x` is a ratio within this run.
  let unit: String
  /// `<= 5` or `>= 5`, in the same unit; nil where there is none.
  var bar: String?
  /// The absolute numbers behind it.
  var detail: String?

  /// Prints the line; the reader tells results from talk by its first key.
  func print() {
    var line =
      "{\"id\":\(JSONQuoting.quoted(id)),\"what\":\(JSONQuoting.quoted(what)),\"measured\":\(measured)"
    line += ",\"unit\":\(JSONQuoting.quoted(unit))"
    if let bar { line += ",\"bar\":\(JSONQuoting.quoted(bar))" }
    if let detail { line += ",\"detail\":\(JSONQuoting.quoted(detail))" }
    say(line + "}")
  }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Why a benchmark could not run.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
}

/// The middle of some numbers; 0 of none.
func median(_ numbers: [Double]) -> Double {
  guard !numbers.isEmpty else { return 0 }
  let sorted = numbers.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
