import FootfallCore

/// What a request says once for all its events.
extension NativeCodec {
  /// The fields that come first, in this order; others follow in the order of their names.
  private static let firstFields: [ContextField] = [
    .library, .platform, .os, .model, .appVersion, .build, .locale,
  ]

  /// A context as a JSON object.
  static func object(of context: EventContext) -> [UInt8] {
    var pairs = firstFields.compactMap { field in context[field].map { (field.rawValue, $0) } }
    let others = context.values.filter { !firstFields.contains($0.key) && $0.key != .extra }
    pairs += others.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
    var buffer = JSONBuffer(capacity: 1_024)
    buffer.append(Properties(pairs: pairs))
    return buffer.bytes
  }

  /// The `client` object: what a batch was sealed with, and the losses to tell of.
  ///
  /// A batch that was sealed without gets what this codec would seal.
  func client(_ sealed: [UInt8], losses: DropCounts) -> [UInt8] {
    let isObject = sealed.first == UInt8(ascii: "{") && sealed.last == UInt8(ascii: "}")
    var client = isObject ? sealed : commonContent
    guard !losses.isEmpty else { return client }
    client.removeLast()
    var buffer = JSONBuffer(capacity: 512)
    if client.count > 1 { buffer.append(UInt8(ascii: ",")) }
    buffer.append("\"dropped\":")
    let counts = losses.byReason.map { ($0.key.rawValue, PropertyValue.integer($0.value)) }
    buffer.append(Properties(pairs: counts.sorted { $0.0 < $1.0 }))
    buffer.append(UInt8(ascii: "}"))
    return client + buffer.bytes
  }
}
