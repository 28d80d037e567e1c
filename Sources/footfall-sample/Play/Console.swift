import Foundation

/// Prints plain lines: progress to the standard output, problems to the error stream.
struct Console: Sendable {
  let isQuiet: Bool

  /// Tells progress, unless the console is quiet.
  func say(_ line: String) {
    guard !isQuiet else { return }
    // Written at once: a pipe would keep printed lines back until it is full.
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// Tells a problem.
  func problem(_ line: String) {
    FileHandle.standardError.write(Data("footfall-sample: \(line)\n".utf8))
  }
}
