internal import CMaxMindDB

/// One file in MaxMind's format, opened; any thread may ask.
final class PlaceFile: @unchecked Sendable {
  private let table: UnsafeMutablePointer<MMDB_s>

  /// Maps the file; it must not change in place for as long as this lives.
  ///
  /// - Throws: `PlaceProblem` for a file that is not there or not in MaxMind's format.
  init(_ path: String) throws(PlaceProblem) {
    let opened = UnsafeMutablePointer<MMDB_s>.allocate(capacity: 1)
    opened.initialize(to: MMDB_s())
    let result = MMDB_open(path, UInt32(MMDB_MODE_MMAP), opened)
    guard result == MMDB_SUCCESS else {
      // Not yet this object's, which would close what was never opened.
      opened.deallocate()
      throw PlaceProblem(String(cString: MMDB_strerror(result)))
    }
    table = opened
  }

  deinit {
    MMDB_close(table)
    table.deallocate()
  }

  /// What the file says it is, such as `GeoLite2-City`.
  var kind: String { table.pointee.metadata.database_type.map { String(cString: $0) } ?? "" }

  /// When it was made, in seconds since 1970.
  var builtAtSeconds: Int64 { Int64(clamping: table.pointee.metadata.build_epoch) }

  /// Where an address is; nil for one that the file does not have, or that is none.
  func place(of address: String) -> Place? {
    var (isNoAddress, problem): (Int32, Int32) = (0, 0)
    let found = MMDB_lookup_string(table, address, &isNoAddress, &problem)
    guard isNoAddress == 0, problem == MMDB_SUCCESS, found.found_entry else { return nil }
    var place = Place()
    // GeoLite and DB-IP nest; IPinfo's file has plain texts.
    place.country =
      Self.text(found.entry, "country", "iso_code") ?? Self.text(found.entry, "country_code")
      ?? Self.text(found.entry, "country") ?? ""
    place.region =
      Self.text(found.entry, "subdivisions", "0", "names", "en") ?? Self.text(found.entry, "region")
      ?? ""
    place.city =
      Self.text(found.entry, "city", "names", "en") ?? Self.text(found.entry, "city") ?? ""
    return place == Place() ? nil : place
  }

  private static func text(_ entry: MMDB_entry_s, _ names: StaticString...) -> String? {
    var path: [UnsafePointer<CChar>?] = names.map { name in
      UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    path.append(nil)
    var (entry, text): (MMDB_entry_s, UnsafePointer<CChar>?) = (entry, nil)
    let count = footfall_mmdb_text(&entry, path, &text)
    guard count > 0, let text else { return nil }
    return String(
      decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(text), count: count),
      as: UTF8.self
    )
  }
}

/// Why a file of places cannot be used.
public struct PlaceProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// A plain sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
