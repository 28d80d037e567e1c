import Catalog
import EventStore
import FootfallSystem
import Foundation
import Ingest
import IngestLog
import Places
import PlacesTesting
import Testing

@testable import ServerApp

@Suite struct `The file of places` {
  private static let now: Int64 = 1_796_117_400_000  // 1 December 2026

  private static func write(_ path: String, kind: String, builtAtSeconds: UInt64) throws {
    var database = PlaceDatabase()
    database.kind = kind
    database.builtAtSeconds = builtAtSeconds
    database.add("203.0.113.0/24", country: "DE", region: "Bavaria", city: "Munich")
    try Data(database.bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test(arguments: [
    (1_793_491_200 as UInt64, "2026-11-01", false), (1_748_736_000, "2025-06-01", true),
  ])
  func `doctor says which it is and of when, and that one of a year ago is old`(
    builtAt: UInt64,
    date: String,
    isOld: Bool
  ) throws {
    let fixture = try FolderFixture()
    let path = fixture.path + "/places.mmdb"
    try Self.write(path, kind: "GeoLite2-City", builtAtSeconds: builtAt)
    try fixture.data.prepare()
    var settings = ServerSettings(data: fixture.data)
    settings.places = path
    let found = Doctor(settings, nowMs: Self.now).examine().first { $0.name == "Places" }
    #expect(found?.detail.hasPrefix("\(path): GeoLite2-City of \(date)") == true)
    #expect(found?.isProblem == isOld)
    #expect(!FileManager.default.fileExists(atPath: fixture.data.placesCopy + ".doctor"))

    settings.places = fixture.path + "/none.mmdb"
    let missing = Doctor(settings, nowMs: Self.now).examine().first { $0.name == "Places" }
    #expect(missing?.isProblem == true && missing?.detail.contains("none.mmdb") == true)
    settings.places = nil
    #expect(!Doctor(settings, nowMs: Self.now).examine().contains { $0.name == "Places" })
  }

  @Test func `a running server reads it again once it changed, and says once that it cannot`()
    throws
  {
    let fixture = try FolderFixture()
    try fixture.data.prepare()
    let path = fixture.path + "/places.mmdb"
    try Self.write(path, kind: "First", builtAtSeconds: 1)
    let table = try PlaceTable(path: path, copy: fixture.data.placesCopy)
    let reports = Lock([String]())
    let keeper = Housekeeper(
      catalog: try Catalog(path: fixture.data.catalogue),
      store: InMemoryEventStore(),
      log: try IngestLog(folder: fixture.path + "/log"),
      usage: UsageMeter(),
      places: table,
      data: fixture.data,
      report: { line in reports.withLock { $0.append(line) } }
    )
    try Self.write(path, kind: "Second of that name", builtAtSeconds: 2)
    keeper.refreshPlaces()
    #expect(table.description.kind == "Second of that name")
    try Data("no places".utf8).write(to: URL(fileURLWithPath: path))
    keeper.refreshPlaces()
    keeper.refreshPlaces()
    #expect(table.description.kind == "Second of that name")
    #expect(reports.withLock { $0 }.count == 1)
    try Self.write(path, kind: "Third", builtAtSeconds: 3)
    keeper.refreshPlaces()
    #expect(table.description.kind == "Third")
    #expect(reports.withLock { $0 }.last?.contains("works again") == true)
  }
}
