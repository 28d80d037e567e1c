import Foundation
import Places
import PlacesTesting
import Testing

@Suite struct `Places of addresses` {
  /// A file of places that is gone, with its folder, when the test is over.
  private final class PlaceFolder {
    let folder = NSTemporaryDirectory() + "footfall-places-" + UUID().uuidString

    init(_ database: PlaceDatabase) throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try write(Data(database.bytes))
    }

    deinit {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }

    var path: String { folder + "/places.mmdb" }

    func write(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: path)) }

    func table() throws -> PlaceTable {
      try PlaceTable(path: path, copy: folder + "/copy.mmdb")
    }
  }

  private static var database: PlaceDatabase {
    var database = PlaceDatabase()
    database.add("203.0.113.0/24", country: "DE", region: "Bavaria", city: "München")
    database.add("198.51.100.7", country: "FR", region: "Île-de-France", city: "Paris")
    database.add("192.0.2.0/25", .map(["country": .map(["iso_code": .text("JP")])]))
    database.add("192.0.2.128/25", .map(["country_code": .text("BR"), "city": .text("Recife")]))
    database.add("100.64.0.0/10", .map(["traits": .map(["is_anonymous": .text("yes")])]))
    return database
  }

  @Test(arguments: [24, 28, 32])
  func `the network an address lies in tells where it is, as far as its entry says`(
    bits: Int
  ) throws {
    var database = Self.database
    database.recordBits = bits
    let table = try PlaceFolder(database).table()
    let munich = Place(country: "DE", region: "Bavaria", city: "München")
    #expect(table.place(of: "203.0.113.7") == munich)
    #expect(table.place(of: "203.0.113.255") == munich)
    #expect(table.place(of: "::203.0.113.7") == munich)
    #expect(
      table.place(of: "198.51.100.7")
        == Place(country: "FR", region: "Île-de-France", city: "Paris")
    )
    #expect(table.place(of: "192.0.2.127") == Place(country: "JP"))
    #expect(table.place(of: "192.0.2.128") == Place(country: "BR", city: "Recife"))
    for nowhere in [
      "203.0.114.1", "198.51.100.8", "100.64.0.1", "2001:db8::1", "", "home", "1.2.3",
    ] { #expect(table.place(of: nowhere) == nil, "\(nowhere)") }
    #expect(table.description.kind == "Test-City")
    #expect(table.description.builtAtSeconds == 1_764_547_200)
  }

  @Test func `a replaced file is taken at the next look, a broken one is not`() throws {
    let folder = try PlaceFolder(Self.database)
    let table = try folder.table()
    #expect(try !table.refresh())
    var other = PlaceDatabase()
    other.kind = "Other"
    other.add("203.0.113.0/24", country: "ES", region: "Aragon", city: "Teruel")
    let bytes = Data(other.bytes)
    // Written into the file that is there, as some programs do it; what is in use stays whole.
    let file = try #require(FileHandle(forWritingAtPath: folder.path))
    try file.truncate(atOffset: 0)
    #expect(table.place(of: "203.0.113.7")?.country == "DE")
    #expect(throws: PlaceProblem.self) { try table.refresh() }
    try file.write(contentsOf: bytes)
    try file.close()
    #expect(table.place(of: "203.0.113.7")?.country == "DE")
    #expect(try table.refresh())
    #expect(
      table.place(of: "203.0.113.7") == Place(country: "ES", region: "Aragon", city: "Teruel")
    )
    #expect(table.place(of: "198.51.100.7") == nil)
    #expect(table.description.kind == "Other")
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(throws: PlaceProblem.self) { try table.refresh() }
    #expect(table.place(of: "203.0.113.7")?.country == "ES")
  }

  @Test func `no file and no file of places are told by their path`() throws {
    let folder = try PlaceFolder(Self.database)
    try folder.write(Data("{}".utf8))
    let problem = #expect(throws: PlaceProblem.self) { try folder.table() }
    #expect(problem?.description.contains(folder.path) == true)
    #expect(throws: PlaceProblem.self) {
      try PlaceTable(path: folder.folder + "/none.mmdb", copy: folder.folder + "/copy.mmdb")
    }
  }

  /// Whatever bytes of the file are wrong, looking up ends with a place or without.
  @Test(arguments: 0..<8 as Range<UInt64>) func `a damaged file stops nothing`(seed: UInt64) throws
  {
    var state = seed &+ 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let whole = Self.database.bytes
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<3 { bytes[next(bytes.count)] = UInt8(next(256)) }
      let folder = try PlaceFolder(Self.database)
      try folder.write(Data(bytes))
      let table: PlaceTable
      do { table = try folder.table() } catch { continue }
      for address in ["203.0.113.7", "198.51.100.7", "192.0.2.1", "1.1.1.1"] {
        _ = table.place(of: address)
      }
    }
  }
}
