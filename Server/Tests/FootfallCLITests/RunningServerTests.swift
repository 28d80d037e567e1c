import Catalog
import EventStore
import Foundation
import ServerApp
import Testing

@testable import FootfallCLI

@Suite struct `A server that ends while a command waits` {
  @Test func `leaves a command that names its file and says what to do`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    let data = DataFolder(path: folder + "/data")
    try data.prepare()
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    let catalog = try Catalog(path: data.catalogue)
    let project = try catalog.createProject(name: "Notes").id
    // No process has this number.
    var server = RunningServer(catalog: catalog, process: .max, pulse: data.pulse)
    server.patience.withoutProcess = 0
    let place = Workplace.running(server)
    let terminal = Terminal(out: { _ in }, error: { _ in })
    let file = folder + "/events.csv"
    let problem = #expect(throws: JobProblem.self) {
      try place.export(
        ExportRequest(project: project, format: .csv),
        to: file + ".part",
        for: file,
        data,
        terminal
      )
    }
    #expect(
      problem?.description
        == "The server ended before job 1 was done. \(file) was not written: start the server and run this "
        + "command again. It also goes on with the job, whose file can be taken from the dashboard then."
    )
    try Data().write(to: URL(fileURLWithPath: file))
    let other = #expect(throws: JobProblem.self) {
      try place.importEvents(
        ImportRequest(file, .csv, project: project),
        listing: file + ".rejected",
        data,
        terminal
      )
    }
    #expect(other?.description.contains("Not all of \(file) may be added yet.") == true)
  }
}
