import Foundation

/// Charts and texts that stand together on a page.
///
/// A value: what a board may hold is decided here, the catalogue only keeps it.
public struct Board: Sendable, Hashable, Identifiable {
  /// The most boards of a project.
  public static let maxBoards = 200
  /// The most cards on one board.
  public static let maxCards = 40

  /// Grows by one with every board.
  public let id: Int64
  /// The project it is about.
  public let project: UInt32
  /// What it is called; 1 to 100 characters.
  public private(set) var name: String
  /// When it was made, in milliseconds since 1970.
  public let createdAtMs: Int64
  /// What stands on it, in order.
  public private(set) var cards: [BoardCard]

  /// A board as it is kept.
  init(id: Int64, project: UInt32, name: String, createdAtMs: Int64, cards: [BoardCard]) {
    self.id = id
    self.project = project
    self.name = name
    self.createdAtMs = createdAtMs
    self.cards = cards
  }

  /// Changes the board.
  ///
  /// - Throws: `invalid` for a name, a text or a number of cards over the limits; `unknownCard`. The
  ///   board is then as it was.
  public mutating func receive(_ change: BoardChange) throws(CatalogError) {
    switch change {
    case .rename(let name): self.name = try Self.checkedName(name)
    case .add(let card):
      guard cards.count < Self.maxCards else { throw Self.tooManyCards }
      cards.append(try card.checked())
    case .edit(let id, let title, let width, let text):
      let index = try index(of: id)
      var card = cards[index]
      card.title = title
      card.width = width
      if let text, case .text = card.content { card.content = .text(text) }
      cards[index] = try card.checked()
    case .move(let id, let places):
      let index = try index(of: id)
      let target = min(max(0, index + places), cards.count - 1)
      cards.insert(cards.remove(at: index), at: target)
    case .remove(let id): cards.remove(at: try index(of: id))
    case .replace(let name, let new):
      guard new.count <= Self.maxCards else { throw Self.tooManyCards }
      let name = try Self.checkedName(name)
      var checked: [BoardCard] = []
      for card in new { checked.append(try card.checked()) }
      (self.name, cards) = (name, checked)
    }
  }

  private func index(of card: Int64) throws(CatalogError) -> Int {
    guard let index = cards.firstIndex(where: { $0.id == card }) else {
      throw .unknownCard(card)
    }
    return index
  }

  private static let tooManyCards = CatalogError.invalid(
    field: "cards",
    reason: "A board has at most \(maxCards) cards; take one away first."
  )

  static func checkedName(_ name: String) throws(CatalogError) -> String {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...100).contains(name.count) else {
      throw .invalid(field: "name", reason: "A board's name has 1 to 100 characters.")
    }
    try Catalog.checkControls("A board's name", name)
    return name
  }
}

/// A chart or a text on a board.
public struct BoardCard: Sendable, Hashable, Identifiable {
  /// How much of a row it takes.
  public enum Width: String, Sendable, CaseIterable {
    /// Half of it; all of it where there is little room.
    case half
    /// All of it.
    case full
  }

  /// What it shows.
  public enum Content: Sendable, Hashable {
    /// The answer to a question: its word, and what it is asked with as in an address's query.
    case chart(question: String, parameters: String)
    /// A text; lines stay lines.
    case text(String)
  }

  /// Its number; 0 for one that is not kept yet.
  public var id: Int64
  /// What it is called; up to 200 characters, at least one for a chart.
  public var title: String
  /// How much of a row it takes.
  public var width: Width
  /// What it shows.
  public var content: Content

  /// A card from its parts.
  public init(id: Int64 = 0, title: String, width: Width = .half, content: Content) {
    self.id = id
    self.title = title
    self.width = width
    self.content = content
  }

  fileprivate func checked() throws(CatalogError) -> BoardCard {
    var card = self
    card.title = title.trimmingCharacters(in: .whitespacesAndNewlines)
    guard card.title.count <= 200, !card.title.contains("\0") else {
      throw .invalid(field: "title", reason: "A card's title has up to 200 characters.")
    }
    switch content {
    case .text(let text):
      guard (1...4_000).contains(text.count), !text.contains("\0") else {
        throw .invalid(field: "text", reason: "A card's text has 1 to 4,000 characters.")
      }
    case .chart(let question, let parameters):
      guard !card.title.isEmpty else {
        throw .invalid(field: "title", reason: "A chart needs a title of 1 to 200 characters.")
      }
      guard !question.isEmpty, question.count <= 40, parameters.utf8.count <= 8_000 else {
        throw .invalid(field: "question", reason: "A chart's question has at most 8,000 bytes.")
      }
    }
    return card
  }
}

/// Something that is done to a board.
public enum BoardChange: Sendable, Hashable {
  /// Gives it another name.
  case rename(String)
  /// Puts a card at its end.
  case add(BoardCard)
  /// Changes a card's title, width and, of one that is a text, the text.
  case edit(Int64, title: String, width: BoardCard.Width, text: String?)
  /// Moves a card by so many places, towards the end where it is positive.
  case move(Int64, by: Int)
  /// Takes a card away.
  case remove(Int64)
  /// Replaces everything.
  case replace(name: String, cards: [BoardCard])

  /// What the audit log says.
  var summary: String {
    switch self {
    case .rename(let name): "renamed to “\(name)”"
    case .add(let card): "“\(card.title)” added"
    case .edit(_, let title, let width, _): "“\(title)” changed, \(width.rawValue) width"
    case .move(let id, let places): "card \(id) moved by \(places)"
    case .remove(let id): "card \(id) taken away"
    case .replace(let name, let cards): "now “\(name)” with \(cards.count) cards"
    }
  }
}

/// A way to a board for people who do not sign in.
public struct BoardLink: Sendable, Hashable, Identifiable {
  /// Grows by one with every link.
  public let id: Int64
  /// The board it shows.
  public let board: Int64
  /// The beginning of its secret, by which people tell links apart.
  public let hint: String
  /// When it was made, in milliseconds since 1970.
  public let createdAtMs: Int64
  /// When it ends by itself; nil for never.
  public let expiresAtMs: Int64?
}
