import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallEngine

/// An engine that holds identifies back, what it says of them, and what the server is sent.
final class CoalescingWorld: Sendable {
  let world: EngineWorld
  let engine: Engine
  private let told = Lock<[DeliveryStep]>([])
  private let subscription: Subscription

  init(
    files: MemoryFiles = MemoryFiles(),
    others: Bool = false,
    user: String? = "user-1",
    status: Int = 200,
    _ change: (inout EngineSettings) -> Void = { _ in }
  ) async {
    world = EngineWorld(files: files)
    world.answer(EngineWorld.main, status)
    world.answer(EngineWorld.other, status)
    engine = world.engine(others: others) { settings in
      settings.deviceID = "device-1"
      settings.userID = user
      settings.gatherSeconds = 0
      settings.main.flush.interval = .afterFirstEvent(seconds: 1e6)
      change(&settings)
    }
    let told = told
    subscription = engine.observeSteps { step in told.withLock { $0.append(step) } }
    await engine.settle()
  }

  var files: MemoryFiles { world.files }

  func identify(
    _ operations: IdentifyOperations,
    _ id: String? = nil,
    onResult: (@Sendable (EventResult) -> Void)? = nil
  ) async {
    let options = id.map { EventOptions(id: $0) }
    engine.track(.identify, [:], options, operations, onResult: onResult)
    await engine.settle()
  }

  func track(_ name: EventName, _ operations: IdentifyOperations? = nil) async {
    engine.track(name, [:], nil, operations)
    await engine.settle()
  }

  func identifyGroup(_ operations: IdentifyOperations) async {
    let details = EventDetails(
      options: EventOptions(groups: ["org": ["15"]]),
      groupOperations: operations
    )
    engine.track(.groupIdentify, [:], details)
    await engine.settle()
  }

  func change(_ change: PipelineInput.Change) async {
    engine.change(change)
    await engine.settle()
  }

  func pass(_ seconds: Double) async {
    await engine.settle()
    world.clock.advance(bySeconds: seconds)
    engine.poke()
    await engine.settle()
  }

  /// The names of what reached the main queue, in order.
  var queue: [String] { steps(.stored).map(\.name.text) }

  /// The ids of what is said to be held, in order.
  var held: [String] { steps(.held).map(\.id) }

  func steps(_ kind: DeliveryStep.Kind) -> [DeliveryStep] {
    told.withLock { $0.filter { $0.kind == kind && $0.destination == "main" } }
  }

  /// What the server was sent, in order, as its kind of text: name, user, operations.
  var sent: [String] {
    get throws { try events().map { "\($0.name) \($0.user ?? "-") \($0.operations)" } }
  }

  struct Sent: Equatable {
    let id: String
    let name: String
    let user: String?
    let device: String?
    /// As JSON with sorted keys.
    let operations: String
  }

  func events(to url: String = EngineWorld.main) throws -> [Sent] {
    try world.transport.requests.filter { $0.url == url }.flatMap { request in
      let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
      return try (body?["events"] as? [[String: Any]] ?? []).map { event in
        let operations = try JSONSerialization.data(
          withJSONObject: event["ops"] ?? [:],
          options: [.sortedKeys]
        )
        return Sent(
          id: event["id"] as? String ?? "",
          name: event["name"] as? String ?? "",
          user: event["user_id"] as? String,
          device: event["device_id"] as? String,
          operations: String(decoding: operations, as: UTF8.self)
        )
      }
    }
  }

  /// Whether every event given to the client is accounted for.
  var isBalanced: Bool {
    let counts = engine.diagnostics
    return counts.tracked == counts.delivered + counts.stored + counts.waiting + counts.merged
      + counts.dropped.events
  }
}
