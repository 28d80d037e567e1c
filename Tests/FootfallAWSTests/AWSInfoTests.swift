import FootfallAWS
import Foundation
import Testing

/// What is told of a configuration file that is of no use.
@Suite struct `The configuration file` {
  private func problem(of text: String) throws -> String? {
    let path = FileManager.default.temporaryDirectory.path + "/footfall-info-\(UUID().uuidString)"
    defer {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        Issue.record("\(path) was to be removed: \(error)")
      }
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let problem = AWSInfo.read(from: ["/nowhere/\(UUID().uuidString)", path]).problem
    return problem?.replacingOccurrences(of: path, with: "FILE")
  }

  @Test(arguments: [
    #"{"Footfall": {"SecretKey": "hidden-7" "AccessKey": "A"}}"#, #"{"SecretKey": hidden-7}"#,
    #"{"SecretKey": "hidden-7"#, "{hidden-7",
  ])
  func `one that is not JSON is named, and nothing of it is told`(text: String) throws {
    #expect(try problem(of: text) == "FILE is not JSON")
  }

  @Test func `one that is no object is named, and nothing of it is told`() throws {
    #expect(try problem(of: #"["hidden-7"]"#) == "FILE is no JSON object")
    #expect(try problem(of: "{}") == nil)
  }

  @Test func `a folder in its place is told of by the error's number`() {
    let folder = FileManager.default.temporaryDirectory.path
    let problem = AWSInfo.read(from: [folder]).problem ?? ""
    #expect(problem.hasPrefix("\(folder) cannot be read (error ") && problem.hasSuffix(")"))
  }
}
