import FootfallPlatform

/// Random choices that come out the same on every machine for the same seed.
///
/// The standard library does not promise the numbers it makes of a generator's bytes from one
/// version to the next; the demo's event ids depend on them.
struct Dice: Sendable {
  private var generator: SeededRandom

  /// Dice of their own for one part of a plan: what one person does must not change with another.
  init(seed: UInt64, part: UInt64) {
    var mixer = SeededRandom(seed: seed ^ (part &* 0xD134_2543_DE82_EF95))
    generator = SeededRandom(seed: mixer.next())
  }

  /// 64 random bits.
  mutating func bits() -> UInt64 { generator.next() }

  /// A number from 0 up to, but not including, 1.
  mutating func unit() -> Double { Double(bits() >> 11) * 0x1p-53 }

  /// Whether something happens that has a chance from 0 to 1.
  mutating func happens(_ chance: Double) -> Bool { unit() < chance }

  /// A number within a range.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(unit() * Double(range.count))
  }

  /// A number within a range.
  mutating func real(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// One of several; they must not be empty.
  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[number(0...(choices.count - 1))]
  }

  /// One of several, each as likely as its weight says against the others.
  mutating func pick<Element>(weighted choices: [(Element, Double)]) -> Element {
    let total = choices.reduce(0) { $0 + $1.1 }
    var left = unit() * total
    for (choice, weight) in choices.dropLast() {
      if left < weight { return choice }
      left -= weight
    }
    return choices[choices.count - 1].0
  }
}
