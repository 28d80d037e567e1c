import FootfallCore
import FootfallEngine
import FootfallPlatform

extension Benchmark {
  /// What the engine's thread does to an event before it is encoded.
  static let pipeline = Benchmark(
    name: "pipeline",
    summary: "one event through session, context and plugins, CPU of the engine's thread"
  ) {
    let (plain, plugged) = PipelineBench.interleaved()
    return [
      Measurement(name: "pipeline", value: plain, unit: "ns"),
      Measurement(name: "pipeline.3_plugins", value: plugged, unit: "ns"),
    ]
  }
}

enum PipelineBench {
  private static let rounds = 60
  private static let calls = 4_000

  /// Nanoseconds of CPU for one event without and with three plugins, in turn; the medians.
  static func interleaved() -> (plain: Double, plugged: Double) {
    let plain = Subject(plugins: [])
    let plugged = Subject(plugins: threePlugins())
    var results: (plain: [Double], plugged: [Double]) = ([], [])
    for _ in 0..<rounds {
      results.plain.append(plain.round(calls))
      results.plugged.append(plugged.round(calls))
    }
    return (results.plain.median, results.plugged.median)
  }

  /// Three plugins that each add a property.
  static func threePlugins() -> [any Plugin] {
    [.before, .enrichment, .enrichment].map(AddingPlugin.init)
  }

  /// The native pipeline in front, with a context like a phone's.
  private final class Subject {
    var pipeline: Pipeline
    var output = PipelineOutput()
    var milliseconds: Int64 = 1_764_581_400_123

    init(plugins: [any Plugin]) {
      let context = EventContext([
        .library: "footfall-swift/1.0.0", .platform: "iOS", .os: "iOS 19.1", .model: "iPhone17,2",
        .appVersion: "4.2.0", .build: "881", .locale: "en_GB", .country: "GB",
      ])
      pipeline = Pipeline(context: context, random: RandomBytes(.seeded(1)))
      take(.identity(.launch(.init(deviceID: "8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60"))))
      take(.launch(.init()))
      take(.identity(.setUser("user-12345")))
      for plugin in plugins { take(.addPlugin(plugin)) }
    }

    private var moment: Moment {
      Moment(
        wallMilliseconds: milliseconds,
        steadyMilliseconds: milliseconds,
        awakeMilliseconds: milliseconds
      )
    }

    private func take(_ change: PipelineInput.Change) {
      pipeline.receive(.change(change, at: moment), into: &output)
    }

    func round(_ calls: Int) -> Double {
      let inputs = (0..<calls).map { number in
        milliseconds += 5
        return PipelineInput.event(
          StampedEvent(
            name: "Song Played",
            properties: [
              "title": "Here Comes the Sun", "duration_s": .integer(number), "price": 9.99,
              "gift": false, "genre": "rock",
            ],
            id: EventID(milliseconds: UInt64(milliseconds), counter: 0, random: 7),
            milliseconds: milliseconds,
            moment: moment
          )
        )
      }
      let start = TrackBench.threadCPU()
      for (number, input) in inputs.enumerated() {
        pipeline.receive(input, into: &output)
        if number % 256 == 255 { output.removeAll() }
      }
      output.removeAll()
      return Double(TrackBench.threadCPU() - start) / Double(calls)
    }
  }

  /// Adds a property, as most plugins do.
  private final class AddingPlugin: Plugin {
    let stage: PluginStage

    init(_ stage: PluginStage) {
      self.stage = stage
    }

    func process(_ event: Event) -> Event? {
      var event = event
      event.properties["app_section"] = "checkout"
      return event
    }
  }
}
