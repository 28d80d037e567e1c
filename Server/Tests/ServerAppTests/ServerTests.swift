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
    let catalog = try Catalog(path: settings.data.catalogue)
    #expect(try catalog.users().isEmpty)
    #expect(try catalog.projects().isEmpty)
  }
}
