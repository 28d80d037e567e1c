import FootfallCore
import Testing

/// The rows of `amplitude.md` section 3.4: timeout 100, sessions feature on.
@Suite struct `Amplitude sessions` {
  enum Step {
    case event(Int64)
    case dated(at: Int64, Int64)
    case outside(Int64)
    case inSession(Int64, at: Int64)
    case foreground(Int64)
    case leave(Int64)
    case set(Int64, at: Int64)
    case ownStart(Int64)
    case relaunch
    case optOut(Bool)
  }

  enum Emitted: Equatable {
    case start(Int64)
    case end(Int64, at: Int64)
    case event(in: Int64)
    case swallowed
  }

  struct Row: CustomTestStringConvertible {
    var ids: String
    var steps: [Step]
    var emitted: [Emitted]
    var rules = SessionRules.amplitude(timeoutMilliseconds: 100)
    var testDescription: String { ids }
  }

  static let off = SessionRules.amplitude(timeoutMilliseconds: 100, announces: false)

  static let rows: [Row] = [
    Row(
      ids: "two events of one session",
      steps: [.event(1_000), .event(1_050)],
      emitted: [.start(1_000), .event(in: 1_000), .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S2",
      steps: [.event(1_000), .event(2_000)],
      emitted: [
        .start(1_000), .event(in: 1_000), .end(1_000, at: 1_000), .start(2_000), .event(in: 2_000),
      ]
    ),
    Row(
      ids: "AMP S3",
      steps: [.event(1_000), .event(1_100)],
      emitted: [
        .start(1_000), .event(in: 1_000), .end(1_000, at: 1_000), .start(1_100), .event(in: 1_100),
      ]
    ),
    Row(
      ids: "AMP S4",
      steps: [.outside(1_000), .event(2_000)],
      emitted: [.event(in: -1), .start(2_000), .event(in: 2_000)]
    ),
    Row(
      ids: "AMP S5",
      steps: [.set(800, at: 800), .outside(1_000), .event(1_050)],
      emitted: [
        .start(800), .event(in: -1), .end(800, at: 800), .start(1_050), .event(in: 1_050),
      ]
    ),
    Row(
      ids: "AMP S6",
      steps: [.foreground(1_000), .event(1_050), .event(2_000)],
      emitted: [.start(1_000), .event(in: 1_000), .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S7",
      steps: [.event(1_000), .foreground(1_050), .event(2_000)],
      emitted: [.start(1_000), .event(in: 1_000), .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S8",
      steps: [.event(1_000), .foreground(2_000), .event(3_000)],
      emitted: [
        .start(1_000), .event(in: 1_000), .end(1_000, at: 1_000), .start(2_000), .event(in: 2_000),
      ]
    ),
    Row(
      ids: "AMP S9",
      steps: [.foreground(1_000), .event(1_500), .leave(2_000), .event(2_050)],
      emitted: [.start(1_000), .event(in: 1_000), .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S10",
      steps: [.foreground(1_000), .event(1_500), .leave(2_000), .event(3_000)],
      emitted: [
        .start(1_000), .event(in: 1_000), .end(1_000, at: 2_000), .start(3_000), .event(in: 3_000),
      ]
    ),
    Row(
      ids: "AMP S11",
      steps: [.event(1_000), .inSession(3_000, at: 1_050), .event(1_100)],
      emitted: [.start(1_000), .event(in: 1_000), .event(in: 3_000), .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S12",
      steps: [.event(100), .set(150, at: 150), .event(200)],
      emitted: [
        .start(100), .event(in: 100), .end(100, at: 100), .start(150), .event(in: 150),
      ]
    ),
    Row(
      ids: "AMP S13",
      steps: [.foreground(1_000), .event(1_050), .set(1_100, at: 1_100)],
      emitted: [.start(1_000), .event(in: 1_000), .end(1_000, at: 1_050), .start(1_100)]
    ),
    Row(
      ids: "AMP S14",
      steps: [.event(1_000), .set(-1, at: 1_050), .event(2_000)],
      emitted: [
        .start(1_000), .event(in: 1_000), .end(1_000, at: 1_000), .start(2_000), .event(in: 2_000),
      ]
    ),
    Row(
      ids: "AMP S15",
      steps: [.set(500, at: 9_000), .event(9_001)],
      emitted: [.start(500), .end(500, at: 500), .start(9_001), .event(in: 9_001)]
    ),
    Row(
      ids: "AMP S16, within the timeout",
      steps: [.event(1_000), .event(1_050), .relaunch, .event(1_090)],
      emitted: [.start(1_000), .event(in: 1_000), .event(in: 1_000), .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S16, after it",
      steps: [.event(1_000), .event(1_050), .relaunch, .event(1_200)],
      emitted: [
        .start(1_000), .event(in: 1_000), .event(in: 1_000), .end(1_000, at: 1_050),
        .start(1_200), .event(in: 1_200),
      ]
    ),
    Row(
      ids: "AMP S17",
      steps: [.event(1_000), .event(2_000)],
      emitted: [.event(in: 1_000), .event(in: 2_000)],
      rules: off
    ),
    Row(
      ids: "AMP S18",
      steps: [
        .optOut(true), .event(1_000), .event(2_000), .set(3_000, at: 3_000), .foreground(3_050),
        .leave(3_070),
      ],
      emitted: []
    ),
    Row(
      ids: "AMP S19",
      steps: [.optOut(true), .event(1_000), .optOut(false), .event(2_000)],
      emitted: [.start(2_000), .event(in: 2_000)]
    ),
    Row(
      ids: "AMP S23",
      steps: [.ownStart(1_000), .ownStart(1_010), .event(1_020)],
      emitted: [.start(1_000), .swallowed, .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S24",
      steps: [
        .foreground(1_000), .event(5_000), .dated(at: 5_010, 1_000), .leave(5_020),
        .event(5_119),
      ],
      emitted: [.start(1_000), .event(in: 1_000), .event(in: 1_000), .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S25",
      steps: [.event(1_000), .event(1_001), .foreground(1_002), .event(1_003)],
      emitted: [
        .start(1_000), .event(in: 1_000), .event(in: 1_000), .event(in: 1_000),
      ]
    ),
    Row(
      ids: "AMP S26",
      steps: [.event(1_000), .event(300_999), .event(600_999)],
      emitted: [
        .start(1_000), .event(in: 1_000), .event(in: 1_000), .end(1_000, at: 300_999),
        .start(600_999), .event(in: 600_999),
      ],
      rules: .amplitude()
    ),
    Row(
      ids: "AMP S27, back in time",
      steps: [.foreground(1_000), .event(1_500), .leave(2_000), .foreground(2_050)],
      emitted: [.start(1_000), .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S27, back too late",
      steps: [.foreground(1_000), .event(1_500), .leave(2_000), .foreground(2_200)],
      emitted: [.start(1_000), .event(in: 1_000), .end(1_000, at: 2_000), .start(2_200)]
    ),
    Row(
      ids: "AMP S28",
      steps: [.event(1_000), .event(1_090), .event(1_180), .event(1_270)],
      emitted: [
        .start(1_000), .event(in: 1_000), .event(in: 1_000), .event(in: 1_000),
        .event(in: 1_000),
      ]
    ),
    Row(
      ids: "AMP S29",
      steps: [.foreground(1_000), .event(1_500), .leave(2_000)],
      emitted: [.start(1_000), .event(in: 1_000)]
    ),
    Row(
      ids: "AMP S32",
      steps: [.event(1_000), .outside(1_050), .event(1_120)],
      emitted: [
        .start(1_000), .event(in: 1_000), .event(in: -1), .end(1_000, at: 1_000),
        .start(1_120), .event(in: 1_120),
      ]
    ),
    Row(
      ids: "AMP S34",
      steps: [.foreground(1_000), .event(1_050), .set(500, at: 1_100), .event(2_000)],
      emitted: [
        .start(1_000), .event(in: 1_000), .end(1_000, at: 1_050), .start(500), .event(in: 500),
      ]
    ),
    Row(
      ids: "a session set again to the same number ends and begins",
      steps: [.event(1_000), .set(1_000, at: 1_020)],
      emitted: [.start(1_000), .event(in: 1_000), .end(1_000, at: 1_000), .start(1_000)]
    ),
    Row(
      ids: "an event before 1970 opens no session",
      steps: [.dated(at: 10, -5), .event(20)],
      emitted: [.event(in: -1), .start(20), .event(in: 20)]
    ),
  ]

  @Test(arguments: rows) func `a history leads to the documented events`(row: Row) {
    var subject = SessionSubject(row.rules)
    var emitted: [Emitted] = []
    subject.take(.launch(.init(presence: .background)), at: 0)
    for step in row.steps {
      switch step {
      case .event(let time): subject.event(at: time)
      case .dated(let now, let time): subject.event(at: now, dated: time)
      case .outside(let time): subject.event(at: time, .outside)
      case .inSession(let id, let time): subject.event(at: time, .other(.number(id)))
      case .foreground(let time): subject.take(.presence(.active), at: time)
      case .leave(let time): subject.take(.presence(.background), at: time)
      case .set(let number, let time):
        subject.take(number < 0 ? .end : .replace(startMilliseconds: number), at: time)
      case .ownStart(let time): subject.event(at: time, kind: .sessionStart)
      case .relaunch: subject = subject.relaunched()
      case .optOut(let isOut): subject.take(.collection(isOn: !isOut), at: 0)
      }
      emitted += subject.takeDone().map(Self.emitted)
    }
    #expect(emitted == row.emitted)
  }

  @Test func `a clock set back by years does not keep a session open for years`() {
    let subject = SessionSubject(.amplitude(timeoutMilliseconds: 100))
    let year: Int64 = 366 * 86_400_000
    subject.wallError = 10 * year
    subject.event(at: 1_000)
    subject.wallError = 0
    subject.event(at: 1_050)
    subject.event(at: 1_149)
    #expect(subject.told.count == 1)
    subject.event(at: 1_249)
    #expect(subject.told.last == .number(1_249))
  }

  @Test func `a session start of the caller's own says which session is open`() {
    let subject = SessionSubject(.amplitude(timeoutMilliseconds: 100))
    subject.event(at: 1_000)
    subject.event(at: 1_010, .other(.number(900)), kind: .sessionStart)
    subject.event(at: 1_109)
    subject.event(at: 1_115, kind: .sessionEnd)
    subject.event(at: 1_209)
    #expect(
      subject.takeDone().map(Self.emitted) == [
        .start(1_000), .event(in: 1_000), .event(in: 900), .event(in: 900), .event(in: 900),
        .end(900, at: 1_109), .start(1_209), .event(in: 1_209),
      ]
    )
    #expect(subject.told == [.number(1_000), .number(900), .number(1_209)])
  }

  private static func emitted(_ effect: SessionCore.Effect) -> Emitted {
    func number(_ id: SessionID?) -> Int64 {
      if case .number(let number) = id { number } else { -1 }
    }
    switch effect {
    case .started(let session):
      #expect(session.id == .number(session.startMilliseconds))
      return .start(session.startMilliseconds)
    case .ended(let session): return .end(number(session.id), at: session.eventMilliseconds ?? -1)
    case .pass(let id): return .event(in: number(id))
    case .swallowedStart: return .swallowed
    default:
      Issue.record("unexpected \(effect)")
      return .swallowed
    }
  }
}
