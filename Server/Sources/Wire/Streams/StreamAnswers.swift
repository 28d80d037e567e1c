import EventRecord

extension StreamPut {
  /// The answer once the records are synced.
  ///
  /// - Parameters:
  ///   - writing: What became of them.
  ///   - segment: The log's segment.
  ///   - endOffset: The offset behind the log's record.
  /// - Returns: The body, of an answer with 200.
  public func answer(_ writing: StreamWriting, segment: UInt64, endOffset: UInt64) -> [UInt8] {
    var json = JSONText()
    json.reserve(64 + 128 * writing.outcomes.count)
    func position(_ index: Int) -> StreamPosition {
      StreamPosition(
        segment: segment,
        endOffset: endOffset,
        index: index,
        recordBytes: writing.record.count
      )
    }
    if isSingle {
      guard case .stored(let shard, let index)? = writing.outcomes.first else { return json.bytes }
      json.append("{")
      stored(position(index), shard, &json)
      json.append(service == .firehose ? ",\"Encrypted\":false}" : ",\"EncryptionType\":\"NONE\"}")
      return json.bytes
    }
    json.append(service == .firehose ? "{\"FailedPutCount\":" : "{\"FailedRecordCount\":")
    json.append(String(writing.failures))
    json.append(
      service == .firehose
        ? ",\"Encrypted\":false,\"RequestResponses\":["
        : ",\"EncryptionType\":\"NONE\",\"Records\":["
    )
    for (place, outcome) in writing.outcomes.enumerated() {
      json.append(literal: place == 0 ? "{" : ",{")
      switch outcome {
      case .stored(let shard, let index): stored(position(index), shard, &json)
      case .throttled(let shard):
        let refusal = throttled(shard: shard)
        json.append("\"ErrorCode\":\"\(refusal.code)\",\"ErrorMessage\":")
        json.append(quoting: refusal.message)
      }
      json.append(literal: "}")
    }
    json.append("]}")
    return json.bytes
  }

  private func stored(_ position: StreamPosition, _ shard: Int, _ json: inout JSONText) {
    if service == .firehose {
      json.append(literal: "\"RecordId\":\"")
    } else {
      json.append(literal: "\"ShardId\":\"")
      StreamShards.appendID(shard, to: &json)
      json.append(literal: "\",\"SequenceNumber\":\"")
    }
    position.appendSequenceNumber(to: &json)
    json.append(literal: "\"")
  }

  /// What a record is refused with whose shard takes no more at the moment.
  public func throttled(shard: Int) -> AWSRefusal {
    service == .firehose
      ? .overloaded(service)
      : AWSRefusal(
        400,
        "ProvisionedThroughputExceededException",
        "Rate exceeded for shard \(StreamShards.id(shard)) in stream \(streamName) under account "
          + "\(StreamName.account)."
      )
  }
}

extension AWSRefusal {
  /// No stream has this name.
  public static func noStream(_ name: String, _ service: AWSService) -> AWSRefusal {
    AWSRefusal(
      400,
      "ResourceNotFoundException",
      "\(service == .firehose ? "Firehose" : "Stream") \(name) under account \(StreamName.account) "
        + "not found."
    )
  }

  /// The server can keep no more at the moment; clients come again by themselves.
  ///
  /// Firehose's clients do so at 503 only, Kinesis's at this name.
  public static func overloaded(_ service: AWSService) -> AWSRefusal {
    service == .firehose
      ? AWSRefusal(503, "ServiceUnavailableException", "Slow down.")
      : AWSRefusal(
        400,
        "ProvisionedThroughputExceededException",
        "The server cannot keep more now; send again a little later."
      )
  }

  /// The project is over its number of events a day; clients come again as when overloaded.
  public static func overQuota(_ service: AWSService) -> AWSRefusal {
    var refusal = overloaded(service)
    refusal.message = "The project is over its number of events a day; send again later."
    return refusal
  }

  /// The disk is full or fails.
  public static func internalFailure(_ service: AWSService) -> AWSRefusal {
    service == .firehose
      ? .overloaded(service)
      : AWSRefusal(500, "InternalFailure", "The server could not keep the records.")
  }

  /// The body is over the limit.
  public static func bodyTooLarge(limitBytes: Int) -> AWSRefusal {
    AWSRefusal(413, "RequestEntityTooLargeException", "The body is over \(limitBytes) bytes.")
  }

  /// The body's compression cannot be read.
  public static let unreadableCompression = AWSRefusal(
    400,
    "SerializationException",
    "The body's compression cannot be read."
  )

  /// An operation that no service here has.
  public static func unknownOperation(_ target: String) -> AWSRefusal {
    AWSRefusal(400, "UnknownOperationException", "The operation “\(target)” is not known here.")
  }
}
