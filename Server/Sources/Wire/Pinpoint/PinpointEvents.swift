/// PutEvents of Pinpoint: events and endpoints of an application.
public enum PinpointEvents {
  /// An endpoint that came with events.
  public struct Embedded {
    /// Its id, as the client spells it.
    public let id: String
    /// What the client says of it, checked JSON; `{}` where it says nothing.
    public let json: UnsafeRawBufferPointer

    /// An endpoint from its parts.
    public init(id: String, json: UnsafeRawBufferPointer) {
      self.id = id
      self.json = json
    }
  }

  /// What is known of an endpoint whose events came.
  public struct Verdict: Sendable {
    /// The id as it was first spelled; events are kept under it.
    public var deviceID: String
    /// Whose it is; empty for nobody's.
    public var userID = ""
    /// The app's version, for events that do not say theirs; empty for none.
    public var appVersion = ""
    /// Members of a JSON object that say more of it, each with a comma behind it.
    public var context: [UInt8] = []
    /// Why what the client says of it was not taken; nil when it was.
    ///
    /// Its events are taken anyway.
    public var refusal: String?
    /// All that is known of it; only asked for where events are copied.
    public var endpoint: PinpointEndpoint?
    /// What changed, to be kept with the events; nil for nothing new.
    public var change: PinpointEndpointUpdate?

    /// An endpoint of which nothing but its id is known.
    public init(deviceID: String) { self.deviceID = deviceID }
  }

  /// What became of a request.
  public enum Outcome: Sendable {
    /// Readable: log the record (unless it holds no event), then give the answer.
    case accepted(WireAcceptance)
    /// Nothing of it is kept, and no endpoint was asked about.
    case refused(AWSRefusal, reason: String)
    /// Nothing of it is kept: what is known of its endpoints was not told.
    case undecided
  }

  /// Decodes a body (inflated, of at most `PinpointLimits.putEventsBytes`).
  ///
  /// - Parameters:
  ///   - body: JSON with `BatchItem`.
  ///   - app: The application's id.
  ///   - project: The project it belongs to.
  ///   - copies: The stream into which every event is copied as well; nil for none.
  ///   - clientContext: What old clients say of the device in a header, one JSON object; nil for none.
  ///   - context: When the request came; `sentAtMs` is the signature's date.
  ///   - scratch: Reused memory.
  ///   - endpoints: Takes what the request says of its endpoints; called once, before events are read,
  ///     and only for a request that is not refused. Returns what is known of each, in the same order; nil to
  ///     decide nothing now.
  /// - Returns: An answer with a status for each event and endpoint: one that is wrong stops no other.
  public static func decode(
    _ body: UnsafeRawBufferPointer,
    app: String,
    project: UInt32,
    copies: StreamTarget? = nil,
    clientContext: String? = nil,
    context: WireContext,
    scratch: WireScratch,
    endpoints: ([Embedded]) -> [Verdict]?
  ) -> Outcome {
    guard body.count <= PinpointLimits.putEventsBytes else {
      return .refused(.tooLarge(limitBytes: PinpointLimits.putEventsBytes), reason: "too_large")
    }
    var pass = PinpointPass(body, app: app, project: project, context: context, scratch: scratch)
    pass.copies = copies
    let outcome: Outcome
    do throws(BodyProblem) {
      try pass.check()
      pass.begin(clientContext: clientContext)
      outcome = try pass.run(endpoints) ? .accepted(pass.acceptance()) : .undecided
    } catch {
      outcome = refusal(error)
    }
    pass.end()
    return outcome
  }

  /// What an old client says of its device in a header, as the record keeps it.
  ///
  /// - Returns: nil for anything but one JSON object.
  public static func clientContext(_ json: [UInt8]) -> String? {
    json.withUnsafeBytes { bytes in
      bytes.first == UInt8(ascii: "{") && JSONCheck.isValid(bytes)
        ? String(decoding: bytes, as: UTF8.self) : nil
    }
  }

  /// The name that CreateApp gives; nil for a body that gives none.
  public static func appName(_ json: UnsafeRawBufferPointer) -> String? {
    var reader = PinpointEndpointReader(json)
    do throws(AWSRefusal) {
      let name = try reader.member("Name")
      return reader.isAtEnd ? name : nil
    } catch {
      return nil
    }
  }

  private static func refusal(_ problem: BodyProblem) -> Outcome {
    switch problem {
    case .malformed, .tooDeep:
      .refused(.badRequest("The body is not JSON."), reason: "unreadable")
    case .wrongShape:
      .refused(
        .badRequest("The body must be an object with BatchItem, an object of endpoints by id."),
        reason: "unreadable"
      )
    case .tooManyEvents:
      .refused(
        .badRequest(
          "A request may hold \(PinpointLimits.events) events of as many endpoints; send them in parts."
        ),
        reason: "too_many_events"
      )
    }
  }
}
