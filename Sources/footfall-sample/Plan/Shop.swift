/// What the demo's app sells and what its users write: "Inkleaf", notes with a paper shop.
enum Shop {
  /// Something that is sold, with its price in euros.
  struct Product: Sendable, Hashable {
    let id: String
    let name: String
    let category: String
    let euros: Double
  }

  static let products: [Product] = [
    Product(id: "nb-a5-dot", name: "Dotted Notebook A5", category: "notebooks", euros: 14.9),
    Product(id: "nb-a5-line", name: "Lined Notebook A5", category: "notebooks", euros: 13.9),
    Product(id: "nb-a6", name: "Pocket Notebook A6", category: "notebooks", euros: 8.5),
    Product(id: "nb-sketch", name: "Sketchbook 160 g", category: "notebooks", euros: 19.5),
    Product(id: "pen-gel-3", name: "Gel Pens, Set of 3", category: "pens", euros: 6.9),
    Product(id: "pen-fount", name: "Fountain Pen Fine", category: "pens", euros: 29),
    Product(id: "pen-brush", name: "Brush Pen Black", category: "pens", euros: 4.5),
    Product(id: "ink-blue", name: "Ink Deep Blue 50 ml", category: "ink", euros: 11.5),
    Product(id: "ink-green", name: "Ink Moss Green 50 ml", category: "ink", euros: 11.5),
    Product(id: "pap-letter", name: "Letter Paper, 50 Sheets", category: "paper", euros: 9.9),
    Product(id: "pap-water", name: "Watercolour Paper A4", category: "paper", euros: 16),
    Product(id: "acc-clip", name: "Brass Clips, 10 Pieces", category: "accessories", euros: 5.5),
    Product(id: "acc-case", name: "Pencil Case Canvas", category: "accessories", euros: 17.9),
    Product(id: "acc-stamp", name: "Date Stamp", category: "accessories", euros: 12.9),
  ]

  static let shopSearches = [
    "notebook a5", "dotted", "fountain pen", "ink", "green ink", "gift", "sketchbook", "brush pen",
    "pencil case", "letter paper", "refill", "left-handed", "stamp", "calendar",
  ]

  static let noteSearches = [
    "shopping", "meeting", "ideas", "recipe", "packing list", "birthday", "to do", "travel",
  ]

  static let notebooks = ["Inbox", "Work", "Home", "Journal", "Recipes", "Travel"]

  static let shareTargets = ["link", "mail", "messages", "pdf"]

  /// How the app dies, now and then, and how often each against the others.
  static let crashes: [((name: String, reason: String, stack: String), Double)] = [
    (
      (
        "NSRangeException", "index 3 beyond bounds for empty array",
        "NoteList.row(at:)\nNoteList.draw()\nRunLoop.run()"
      ), 5
    ),
    (
      (
        "NSInvalidArgumentException", "unrecognized selector sent to instance",
        "CartButton.tapped()\nApplication.send(action:)\nRunLoop.run()"
      ), 3
    ),
    (
      (
        "NSInternalInconsistencyException", "a note was saved twice",
        "NoteStore.save(_:)\nEditor.close()\nApplication.enterBackground()"
      ), 2
    ),
  ]
}

/// A country's language, money and time, as far as the demo needs them.
struct Market: Sendable, Hashable {
  let locale: String
  let currency: String
  /// What one euro is worth; a fixed number, since this is no bank.
  let perEuro: Double
  /// Hours ahead of UTC, without daylight saving.
  let hoursAhead: Int

  static let all: [(Market, Double)] = [
    (Market(locale: "en_US", currency: "USD", perEuro: 1.1, hoursAhead: -5), 30),
    (Market(locale: "de_DE", currency: "EUR", perEuro: 1, hoursAhead: 1), 22),
    (Market(locale: "en_GB", currency: "GBP", perEuro: 0.86, hoursAhead: 0), 15),
    (Market(locale: "fr_FR", currency: "EUR", perEuro: 1, hoursAhead: 1), 11),
    (Market(locale: "ja_JP", currency: "JPY", perEuro: 165, hoursAhead: 9), 8),
    (Market(locale: "es_ES", currency: "EUR", perEuro: 1, hoursAhead: 1), 8),
    (Market(locale: "pt_BR", currency: "BRL", perEuro: 6, hoursAhead: -3), 6),
  ]

  /// A price of so many euros in this market's money: whole yen, else two digits.
  func price(_ euros: Double) -> Double {
    let step = currency == "JPY" ? 10.0 : 0.01
    let steps = (euros * perEuro / step).rounded()
    // Divided rather than multiplied, so that 14.9 stays 14.9 and not 14.900000000000002.
    return currency == "JPY" ? steps * 10 : steps / 100
  }
}
