import Catalog
import Foundation
import HTTPServing
import Testing

@testable import ServerApp

@Suite struct `A server's start` {
  @Test func `a start that finds its port taken leaves the first start to the next one`() throws {
    let path = NSTemporaryDirectory() + "footfall-" + UUID().uuidString
    defer {
      do { try FileManager.default.removeItem(atPath: path) } catch {}
    }
    let other = try HTTPServer(port: 0, router: Router())
    defer { other.stop(drainSeconds: 0) }
    var settings = ServerSettings(data: DataFolder(path: path))
    settings.port = UInt16(other.port)
    #expect(throws: StartError.self) { try Server(settings) }
    #expect(
      !FileManager.default.fileExists(atPath: path),
      "a first start that fails leaves nothing"
    )
    try settings.data.prepare()
    #expect(throws: StartError.self) { try Server(settings) }
    let catalog = try Catalog(path: settings.data.catalogue)
    #expect(try catalog.users().isEmpty)
    #expect(try catalog.projects().isEmpty)
  }

  @Test func `an address of another machine leaves no data folder behind`() throws {
    let path = NSTemporaryDirectory() + "footfall-" + UUID().uuidString
    var settings = ServerSettings(data: DataFolder(path: path))
    settings.port = 0
    settings.host = "203.0.113.9"
    let error = #expect(throws: StartError.self) { try Server(settings) }
    #expect(error?.description.contains("this machine has no such address") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
