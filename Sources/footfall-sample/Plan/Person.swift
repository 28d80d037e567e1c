/// How somebody uses the app.
enum Habit: String, Sendable, CaseIterable {
  /// Looks at it once or twice.
  case visitor
  /// Comes back now and then and may lose interest.
  case occasional
  /// Comes back several times a week.
  case regular
  /// Lives in it.
  case loyal

  /// How common the habit is against the others.
  var weight: Double {
    switch self {
    case .visitor: 28
    case .occasional: 30
    case .regular: 27
    case .loyal: 15
    }
  }

  /// The chance of opening the app on a day, so many days after the first.
  func chance(day: Int) -> Double {
    switch self {
    case .visitor: day <= 3 ? 0.12 : 0.01
    case .occasional: max(0.05, 0.3 - Double(day) * 0.006)
    case .regular: max(0.2, 0.45 - Double(day) * 0.003)
    case .loyal: 0.7
    }
  }

  /// The chance of another visit on a day with one.
  var againChance: Double {
    switch self {
    case .visitor: 0.05
    case .occasional: 0.12
    case .regular: 0.2
    case .loyal: 0.3
    }
  }

  /// The chance that an anonymous visit ends in signing up.
  var signUpChance: Double {
    switch self {
    case .visitor: 0.15
    case .occasional: 0.35
    case .regular: 0.55
    case .loyal: 0.8
    }
  }

  /// About how many things are done in a visit.
  var activities: ClosedRange<Int> {
    switch self {
    case .visitor: 1...3
    case .occasional: 1...4
    case .regular: 1...4
    case .loyal: 1...5
    }
  }
}

/// One of the demo's people: plainly made up, with habits of their own.
struct Person: Sendable {
  /// Counted from one.
  let number: Int
  let habit: Habit
  let market: Market
  /// Where interest lies: 0 is notes only, 1 is the shop only.
  let shopping: Double
  /// When the app was first opened, in milliseconds since 1970.
  let joinedMs: Int64
  /// After this moment the app is not opened any more; nil for those who stay.
  let leavesMs: Int64?
  /// One or two devices, the first one first.
  let devices: [Device]

  /// The name the app knows somebody by after signing in, as in `person-017`.
  static func name(_ number: Int) -> String {
    let digits = String(number)
    return "person-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }
  var id: String { Self.name(number) }

  /// The team that a third of all people are in once they have an account, as in `team-05`.
  var team: String? {
    guard number.isMultiple(of: 3) else { return nil }
    let team = number / 3 % Self.teams + 1
    return "team-\(team < 10 ? "0" : "")\(team)"
  }
  private static let teams = 14

  /// Makes up a person who joins at some time of a period.
  init(number: Int, period: Period, dice: inout Dice) {
    let share = dice.unit()
    // A steady stream, with a campaign a little after the middle.
    let isCampaign = dice.happens(0.12)
    let joinShare = isCampaign ? 0.55 + share * 0.05 : share * 0.985
    let joinedMs = period.startMs + Int64(joinShare * Double(period.lengthMs))
    self.init(number: number, joinedMs: joinedMs, dice: &dice)
  }

  /// Makes up a person who joins at a moment.
  init(number: Int, joinedMs: Int64, dice: inout Dice) {
    self.number = number
    self.joinedMs = joinedMs
    let habit = dice.pick(weighted: Habit.allCases.map { ($0, $0.weight) })
    self.habit = habit
    market = dice.pick(weighted: Market.all)
    shopping = dice.real(0.15...0.85)
    let leaves = habit == .loyal ? dice.happens(0.08) : dice.happens(0.45)
    let stay = Int64(dice.real(2...60) * Double(Period.dayMs))
    leavesMs = leaves ? joinedMs + stay : nil
    var devices = [Self.device(number, 1, installedMs: joinedMs, dice: &dice)]
    if habit != .visitor, dice.happens(0.35) {
      let later = joinedMs + Int64(dice.real(0.5...20) * Double(Period.dayMs))
      devices.append(Self.device(number, 2, installedMs: later, dice: &dice))
    }
    self.devices = devices
  }

  private static func device(
    _ person: Int,
    _ index: Int,
    installedMs: Int64,
    dice: inout Dice
  ) -> Device {
    let (platform, os, models) = dice.pick(
      weighted: [
        (("iOS", "iOS 26.1", ["iPhone18,1", "iPhone17,2", "iPhone16,1", "iPhone15,4"]), 62),
        (("iPadOS", "iPadOS 26.1", ["iPad16,3", "iPad14,8"]), 16),
        (("macOS", "macOS 26.1", ["Mac16,1", "Mac15,3", "Mac14,2"]), 22),
      ])
    let older = dice.happens(0.25)
    return Device(
      name: "\(Person.name(person))-\(index)",
      platform: platform,
      os: older ? "\(platform) 18.7" : os,
      model: dice.pick(models),
      installedMs: installedMs,
      updateLagMs: Int64(dice.unit() * dice.unit() * 14 * Double(Period.dayMs))
    )
  }
}
