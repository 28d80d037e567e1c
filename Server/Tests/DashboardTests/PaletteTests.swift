import Foundation
import Testing

@testable import Dashboard

/// The colours of the pages, measured.
@Suite struct `The palette` {
  /// The tokens of a colour scheme, by name.
  private static func tokens(dark: Bool) throws -> [String: Colour] {
    let parts = Styles.tokens.components(separatedBy: "prefers-color-scheme: dark")
    try #require(parts.count == 2)
    return (dark ? parts : [parts[0]]).reduce(into: [:]) { found, part in
      for match in part.matches(of: /--([a-z0-9-]+): (#[0-9a-f]{6})/) {
        found[String(match.1)] = Colour(String(match.2))
      }
    }
  }

  private static let series = (1...8).map { "series-\($0)" } + ["series-other"]

  @Test(arguments: [false, true])
  func `series stand out from the card at 3 to 1`(dark: Bool) throws {
    let tokens = try Self.tokens(dark: dark)
    let card = try #require(tokens["card"])
    for name in Self.series {
      let colour = try #require(tokens[name], "\(name)")
      #expect(colour.contrast(with: card) >= 3, "\(name)")
    }
  }

  @Test(arguments: [false, true], Vision.allCases)
  func `any two series can be told apart, also by those who see red and green alike`(
    dark: Bool,
    vision: Vision
  ) throws {
    let tokens = try Self.tokens(dark: dark)
    for (index, one) in Self.series.enumerated() {
      for other in Self.series.dropFirst(index + 1) {
        let (a, b) = (try #require(tokens[one]), try #require(tokens[other]))
        #expect(a.distance(to: b, vision) >= 0.08, "\(one) and \(other)")
      }
    }
  }

  @Test func `colours that only red and green tell apart would be noticed`() throws {
    let (red, green) = (Colour("#b93d75"), Colour("#128a73"))
    #expect(red.distance(to: green, .normal) > 0.2)
    #expect(red.distance(to: green, .deuteranopia) < 0.02)
    #expect(Colour("#ffffff").contrast(with: Colour("#000000")) == 21)
  }

  @Test(arguments: [false, true])
  func `every text can be read at 4.5 to 1, also what is muted`(dark: Bool) throws {
    let tokens = try Self.tokens(dark: dark)
    let texts = [
      "ink": ["paper", "card", "sunk", "hover", "raised", "accent-soft"],
      "ink-2": ["paper", "card", "sunk", "hover", "raised", "accent-soft"],
      "ink-3": ["paper", "card", "sunk", "hover", "accent-soft"],
      "accent": ["paper", "card", "sunk", "hover", "accent-soft"],
      "accent-2": ["paper", "card", "sunk"], "on-accent": ["accent", "accent-2"],
      "danger": ["paper", "card", "danger-soft"], "warn": ["paper", "card", "warn-soft"],
    ]
    for (text, grounds) in texts {
      for ground in grounds {
        let (ink, paper) = (try #require(tokens[text]), try #require(tokens[ground]))
        #expect(ink.contrast(with: paper) >= 4.5, "\(text) on \(ground)")
      }
    }
    // The darkest cell of a shaded table.
    let (ink, card) = (try #require(tokens["ink"]), try #require(tokens["card"]))
    let cell = try #require(tokens["series-1"]).mixed(0.52, with: card)
    #expect(ink.contrast(with: cell) >= 4.5)
  }

  @Test func `no text is made paler than its colour`() {
    let rules = Styles.all.matches(of: /([^{}]*)\{([^{}]*opacity: 0?\.[0-9]+[^{}]*)\}/)
    for rule in rules {
      let selector = rule.1.trimmingCharacters(in: .whitespacesAndNewlines)
      let isNoText = ["::after", "from", "0%", ":disabled", "htmx-request", "100%"]
        .contains { selector.contains($0) }
      #expect(isNoText, "\(selector)")
    }
  }

  /// How someone sees colours.
  enum Vision: CaseIterable {
    case normal, protanopia, deuteranopia

    /// From linear red, green and blue to what is seen.
    ///
    /// Source: Machado, Oliveira and Fernandes, 2009, severity 1.
    var matrix: [[Double]] {
      switch self {
      case .normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
      case .protanopia:
        [
          [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
          [-0.003882, -0.048116, 1.051998],
        ]
      case .deuteranopia:
        [
          [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
          [-0.011820, 0.042940, 0.968881],
        ]
      }
    }
  }
}

/// A colour by its linear red, green and blue, 0 to 1.
private struct Colour {
  let linear: [Double]

  init(linear: [Double]) { self.linear = linear }

  /// From `#rrggbb`.
  init(_ text: String) {
    let number = Int(text.dropFirst(), radix: 16) ?? 0
    linear = [number >> 16 & 255, number >> 8 & 255, number & 255].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
  }

  /// A mixture as style sheets make it, part by part of the written colour.
  func mixed(_ share: Double, with other: Colour) -> Colour {
    func written(_ value: Double) -> Double {
      value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    }
    return Colour(
      linear: zip(linear, other.linear).map { own, other in
        let value = written(own) * share + written(other) * (1 - share)
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
    )
  }

  /// Source: WCAG 2.2, relative luminance.
  private var luminance: Double { 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] }

  /// Source: WCAG 2.2, contrast ratio.
  func contrast(with other: Colour) -> Double {
    let (light, dark) = (
      max(luminance, other.luminance), min(luminance, other.luminance)
    )
    return (light + 0.05) / (dark + 0.05)
  }

  /// How different two colours look; about 0.02 is the least that is noticed side by side.
  func distance(to other: Colour, _ vision: `The palette`.Vision) -> Double {
    zip(seen(vision), other.seen(vision)).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
  }

  /// Source: Ottosson’s Oklab, 2020.
  private func seen(_ vision: `The palette`.Vision) -> [Double] {
    func times(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
      matrix.map { zip($0, vector).map { $0 * $1 }.reduce(0, +) }
    }
    let light = times(vision.matrix, linear).map { min(1, max(0, $0)) }
    let cones = times(
      [
        [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
      ],
      light
    ).map { pow($0, 1 / 3) }
    return times(
      [
        [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
      ],
      cones
    )
  }
}
