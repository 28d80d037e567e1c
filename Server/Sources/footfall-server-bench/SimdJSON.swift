import Foundation

/// The reference for decoding, from the library that `Benchmarks/simdjson/build` makes.
struct SimdJSON {
  private typealias Events = @convention(c) (UnsafePointer<CChar>, Int, Int) -> Int
  private let events: Events
  private let body: [CChar]
  private let length: Int

  /// Opens the library named by `FOOTFALL_SIMDJSON` for a body; nil, and a line about it, without one.
  init?(_ body: [UInt8]) {
    guard let path = ProcessInfo.processInfo.environment["FOOTFALL_SIMDJSON"],
      let library = dlopen(path, RTLD_NOW | RTLD_LOCAL),
      let events = dlsym(library, "footfall_simdjson_events"),
      let padding = dlsym(library, "footfall_simdjson_padding")
    else {
      say(
        "simdjson is left out: FOOTFALL_SIMDJSON does not name its library; script/bench does that."
      )
      return nil
    }
    // Safety: the two functions of `reference.cpp`.
    self.events = unsafeBitCast(events, to: Events.self)
    let spaces = unsafeBitCast(padding, to: (@convention(c) () -> Int).self)()
    self.body = (body + [UInt8](repeating: 0x20, count: spaces)).map(CChar.init(bitPattern:))
    length = body.count
  }

  /// Reads the body, which has so many events.
  func read(events count: Int) {
    let found = body.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { events($0, length, bytes.count - length) }
    }
    precondition(found == count, "simdjson does not read the benchmark's own body.")
  }
}
