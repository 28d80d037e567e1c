import Footfall
import FootfallCore
import FootfallEngine
import FootfallPhase
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import Foundation

extension Benchmark {
  /// A call by SimpleDataLogs' names against the native one, on the same client.
  static let simpleDataLogs = Benchmark(
    name: "simpledatalogs",
    summary: "a call by SimpleDataLogs' names against the native one"
  ) {
    let scratch = try BenchFolder("simpledatalogs")
    defer { scratch.remove() }
    let client = SimpleDataLogsClient(log: .silent)
    client.configure(
      ingestKey: "sdl_pub_bench",
      in: { NamedCallBench.world(in: scratch.path) },
      change: { $0.waitingEvents = 50_000 }
    )
    defer { client.footfall.shutdown(limitSeconds: 0) }
    return NamedCallBench.measure(
      "simpledatalogs.call",
      client.footfall,
      { NamedCallBench.dictionary($0) },
      { client.track("Song Played", properties: $0) }
    )
      + NamedCallBench.measureLiterals("simpledatalogs.literal", client.footfall) { number in
        client.track("Song Played", properties: NamedCallBench.dictionary(number))
      }
  }

  /// A call by Phase's names against the native one, on the same client.
  static let phase = Benchmark(
    name: "phase",
    summary: "a call by Phase's names against the native one"
  ) {
    let scratch = try BenchFolder("phase")
    defer { scratch.remove() }
    var surroundings = PhaseSDK.Surroundings()
    surroundings.world = { _ in NamedCallBench.world(in: scratch.path) }
    surroundings.store = { .files(in: scratch.path, of: $0) }
    let sdk = PhaseSDK(surroundings)
    let isReady = Monitor(false)
    Task {
      do {
        try await sdk.initialize(apiKey: "phase_bench")
      } catch {
        print("The SDK was not initialised: \(error)")
      }
      await sdk.identify()
      isReady.change { $0 = true }
    }
    _ = isReady.wait { $0 ? true : nil }
    defer { sdk.footfall.shutdown(limitSeconds: 0) }
    return NamedCallBench.measure(
      "phase.call",
      sdk.footfall,
      { NamedCallBench.params($0) },
      { sdk.track("Song Played", params: $0) }
    )
      + NamedCallBench.measureLiterals("phase.literal", sdk.footfall) { number in
        sdk.track("Song Played", params: NamedCallBench.params(number))
      }
  }
}

/// What a call costs by another product's names.
///
/// What an app says of an event it puts together itself, in the form that the other product's document asks
/// for, and with that product's own SDK too: that is no part of a call. It is measured beside it, since a
/// dictionary of five keys takes longer than the whole native call.
enum NamedCallBench {
  private static let rounds = 60
  private static let calls = 2_000
  /// The calls of a round.
  static let numbers = 0..<calls

  @inline(__always)
  static func dictionary(_ number: Int) -> [String: FootfallSimpleDataLogs.PropertyValue] {
    [
      "title": "Here Comes the Sun", "duration_s": .integer(number), "price": 9.99, "gift": false,
      "genre": "rock",
    ]
  }

  @inline(__always)
  static func params(_ number: Int) -> EventParams {
    [
      "title": "Here Comes the Sun", "duration_s": number, "price": 9.99, "gift": false,
      "genre": "rock",
    ]
  }

  @inline(__always)
  static func untyped(_ number: Int) -> [String: Any] {
    [
      "title": "Here Comes the Sun", "duration_s": number, "price": 9.99, "gift": false,
      "genre": "rock",
    ]
  }

  @inline(__always)
  static func native(_ number: Int) -> Properties {
    [
      "title": "Here Comes the Sun", "duration_s": .integer(number), "price": 9.99, "gift": false,
      "genre": "rock",
    ]
  }

  /// The real clock and disk, in a folder; requests go nowhere.
  static func world(in folder: String) -> Environment {
    var environment = Environment.live(log: .silent)
    environment.transport = SinkTransport()
    environment.storage = StorageLocation(path: folder)
    return environment
  }

  /// So many arguments are at hand at a time: as many as stay in the calling core's cache.
  private static let atHand = 100

  /// A call against the native one, with what both are given just put together.
  static func measure<Argument>(
    _ name: String,
    _ footfall: FootfallClient,
    _ argument: (Int) -> Argument,
    _ call: (Argument) -> Void
  ) -> [Measurement] {
    var (named, plain): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      TrackBench.drain(footfall)
      named.append(cpu(argument, call))
      TrackBench.drain(footfall)
      plain.append(cpu(native) { footfall.track("Song Played", $0) })
    }
    return [Measurement(name: name, value: named.median, unit: "ns", reference: plain.median)]
  }

  private static func cpu<Argument>(
    _ argument: (Int) -> Argument,
    _ call: (Argument) -> Void
  ) -> Double {
    var sum: UInt64 = 0
    for first in stride(from: 0, to: calls, by: atHand) {
      let given = (first..<first + atHand).map { argument($0) }
      let start = TrackBench.threadCPU()
      for one in given { call(one) }
      sum += TrackBench.threadCPU() - start
    }
    return Double(sum) / Double(calls)
  }

  /// A call against the native one, with what both are given written out in the call.
  ///
  /// `settle` waits until what `call` left behind is done, where the client does not know of it.
  static func measureLiterals(
    _ name: String,
    _ footfall: FootfallClient,
    _ call: (Int) -> Void,
    settle: () -> Void = {}
  ) -> [Measurement] {
    compare(name, footfall, call, settle: settle) { footfall.track("Song Played", native($0)) }
  }

  /// Nanoseconds of the calling thread's CPU, medians of interleaved rounds: the same event by both.
  private static func compare(
    _ name: String,
    _ footfall: FootfallClient,
    _ call: (Int) -> Void,
    settle: () -> Void = {},
    native: (Int) -> Void
  ) -> [Measurement] {
    var (named, plain): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      TrackBench.drain(footfall)
      named.append(cpu(call))
      settle()
      TrackBench.drain(footfall)
      plain.append(cpu(native))
    }
    return [Measurement(name: name, value: named.median, unit: "ns", reference: plain.median)]
  }

  private static func cpu(_ call: (Int) -> Void) -> Double {
    let start = TrackBench.threadCPU()
    for number in numbers { call(number) }
    return Double(TrackBench.threadCPU() - start) / Double(calls)
  }
}
