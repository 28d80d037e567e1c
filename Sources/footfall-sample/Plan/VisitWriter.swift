import FootfallCore

/// What the app knows about a person from one visit to the next.
struct PersonState: Sendable {
  /// Whether an account exists.
  var hasAccount = false
  /// Which devices are signed in, by their place in `Person.devices`.
  var signedIn: Set<Int> = []
  /// Which devices have opened the app before.
  var opened: Set<Int> = []
  var notes = 0
  var orders = 0
  var isSubscriber = false
  var cart: [Shop.Product] = []
  var lastNote = "note-0"
  /// What was bought last, for as long as it may be given back.
  var lastSale: Revenue?
}

/// Writes down visits of one person: a pure generator that draws from the person's own dice.
struct VisitWriter {
  let person: Person
  var dice: Dice
  var state = PersonState()

  private var actions: [PlannedAction] = []
  private var nowMs: Int64 = 0
  private var visitMs: Int64 = 0
  private var device = 0
  /// Whether the visit ended in a crash.
  private var isOver = false

  init(person: Person, dice: Dice) {
    self.person = person
    self.dice = dice
  }

  /// One visit that begins at a moment.
  mutating func visit(atMs: Int64, device: Int) -> Visit {
    actions = []
    nowMs = atMs
    visitMs = atMs
    isOver = false
    self.device = device
    if state.opened.contains(device), dice.happens(0.04) {
      synchronize()
      return Visit(device: device, actions: actions)
    }
    open()
    for _ in 0..<dice.number(person.habit.activities) where !isOver { activity() }
    if !isOver { leave() }
    return Visit(device: device, actions: actions)
  }

  private mutating func leave() {
    if !state.hasAccount, dice.happens(person.habit.signUpChance) { signUp() }
    if state.hasAccount, state.signedIn.contains(device), dice.happens(0.004) { signOut() }
    let engagedMs = Int(Double(nowMs - visitMs) * dice.real(0.5...0.95))
    track(
      "App Closed",
      ["app_state": "active", "engaged_ms": .integer(engagedMs)],
      after: 1...4
    )
  }

  /// The system woke the app, and nobody looked.
  private mutating func synchronize() {
    track(
      "Notes Synchronized",
      [
        "app_state": "background", "engaged_ms": 0,
        "notes": .integer(dice.number(0...max(1, state.notes))),
      ],
      after: 0...0
    )
  }

  // MARK: Coming in

  private mutating func open() {
    let isFirst = state.opened.insert(device).inserted
    let source = dice.pick(
      weighted: [("icon", 70), ("notification", isFirst ? 0 : 18), ("link", 8), ("widget", 4)])
    track("App Opened", ["source": .string(source), "first_time": .boolean(isFirst)], after: 0...0)
    if isFirst, device == 0 { onboard() }
    // Somebody with an account signs in on every further device, and again after signing out.
    if state.hasAccount, !state.signedIn.contains(device) { signIn() }
    if let sale = state.lastSale, dice.happens(0.05) { giveBack(sale) }
    state.lastSale = nil
  }

  private mutating func onboard() {
    let titles = ["Welcome", "Write anything", "The paper shop", "Stay in touch"]
    for (index, title) in titles.enumerated() {
      track(
        "Onboarding Step Viewed",
        ["step": .integer(index + 1), "title": .string(title)],
        after: 2...15
      )
      if dice.happens(0.09) { return }
    }
    track("Onboarding Finished", ["notifications": .boolean(dice.happens(0.55))], after: 1...8)
  }

  private mutating func signUp() {
    track("Sign Up Started", ["screen": "account"], after: 3...20)
    guard dice.happens(0.82) else { return }
    let method = dice.pick(weighted: [("passkey", 40), ("email", 45), ("apple", 15)])
    state.hasAccount = true
    state.signedIn.insert(device)
    nowMs += Int64(dice.number(15_000...70_000))
    note(.signIn(person.id))
    track("Signed Up", ["method": .string(method)], after: 0...0)
    identify(
      .set("plan", "free").set("locale", .string(person.market.locale))
        .set("currency", .string(person.market.currency))
        .setOnce("sign_up_method", .string(method)).add("sign_ins", 1)
    )
    guard let team = person.team else { return }
    append(.join(team: team), after: 1...5)
    let plan: PropertyValue = dice.happens(0.3) ? "business" : "starter"
    append(.identifyTeam(team, .setOnce("plan", plan).add("seats", 1)), after: 0...0)
  }

  private mutating func signIn() {
    state.signedIn.insert(device)
    while dice.happens(0.15) {
      track(
        "Sign In Failed",
        ["reason": dice.happens(0.7) ? "wrong_password" : "passkey_cancelled"],
        after: 4...15
      )
    }
    nowMs += Int64(dice.number(8_000...30_000))
    note(.signIn(person.id))
    track("Signed In", ["method": dice.happens(0.6) ? "passkey" : "email"], after: 0...0)
    identify(.add("sign_ins", 1).postInsert("platforms", .string(person.devices[device].platform)))
  }

  private mutating func signOut() {
    track("Signed Out", [:], after: 3...9)
    state.signedIn.remove(device)
    note(.signOut)
  }

  // MARK: Doing things

  private mutating func activity() {
    if dice.happens(person.shopping) {
      dice.happens(0.35) ? searchShop() : browse()
    } else if state.notes == 0 || dice.happens(0.4) {
      createNote()
    } else {
      dice.happens(0.25) ? searchNotes() : editNote()
    }
    if dice.happens(0.012) {
      track(
        "Error Shown",
        ["code": .string(dice.pick(["sync_conflict", "offline", "payment_declined"]))],
        after: 1...5
      )
    }
    if dice.happens(0.006) { crash() }
  }

  private mutating func crash() {
    let exception = dice.pick(weighted: Shop.crashes)
    track(
      "app_crashed",
      [
        "exception_name": .string(exception.name), "reason": .string(exception.reason),
        "stack": .string(exception.stack),
      ],
      after: 0...2
    )
    isOver = true
  }

  private mutating func createNote() {
    screen("Notes")
    state.notes += 1
    state.lastNote = "note-\(state.notes)"
    track(
      "Note Created",
      [
        "note_id": .string(state.lastNote), "notebook": .string(dice.pick(Shop.notebooks)),
        "template": .string(
          dice.pick(weighted: [("blank", 70), ("checklist", 20), ("diary", 10)])
        ),
      ],
      after: 2...12
    )
    edit()
  }

  private mutating func editNote() {
    screen("Notes")
    state.lastNote = "note-\(dice.number(max(1, state.notes - 12)...state.notes))"
    edit()
    if dice.happens(0.12) {
      track(
        "Note Shared",
        ["note_id": .string(state.lastNote), "target": .string(dice.pick(Shop.shareTargets))],
        after: 2...10
      )
    }
  }

  private mutating func edit() {
    for _ in 0..<dice.number(1...2) {
      track(
        "Note Edited",
        [
          "note_id": .string(state.lastNote), "words_added": .integer(dice.number(1...140)),
          "duration_s": .integer(dice.number(5...240)),
        ],
        after: 8...90
      )
    }
  }

  private mutating func searchNotes() {
    screen("Notes")
    search("notes", dice.pick(Shop.noteSearches), results: dice.number(0...min(20, state.notes)))
  }

  private mutating func searchShop() {
    screen("Shop")
    let results = dice.happens(0.1) ? 0 : dice.number(1...9)
    search("shop", dice.pick(Shop.shopSearches), results: results)
    if results > 0, dice.happens(0.7) { viewProduct(from: "search") }
  }

  private mutating func search(_ scope: String, _ query: String, results: Int) {
    track(
      "Searched",
      ["scope": .string(scope), "query": .string(query), "results": .integer(results)],
      after: 3...12
    )
  }

  private mutating func browse() {
    screen("Shop")
    for _ in 0..<dice.number(1...3) { viewProduct(from: "shelf") }
  }

  private mutating func screen(_ name: String) {
    append(.screen(name), after: 1...9)
  }

  // MARK: Buying

  private mutating func viewProduct(from origin: String) {
    let product = dice.pick(Shop.products)
    track("Product Viewed", described(product).merging(["origin": .string(origin)]), after: 4...40)
    guard dice.happens(0.3) else { return }
    state.cart.append(product)
    track("Product Added to Cart", described(product), after: 3...20)
    guard dice.happens(0.55) else { return }
    checkOut()
  }

  private mutating func checkOut() {
    let value = total(state.cart.map { (product: $0, quantity: 1) })
    track(
      "Checkout Started",
      [
        "items": .integer(state.cart.count), "value": .double(value),
        "currency": .string(person.market.currency),
      ],
      after: 5...30
    )
    if !state.signedIn.contains(device) { signUp() }
    guard state.signedIn.contains(device), dice.happens(0.72) else { return }
    order()
  }

  private mutating func order() {
    state.orders += 1
    let lines = state.cart.map { (product: $0, quantity: dice.happens(0.2) ? 2 : 1) }
    state.cart = []
    track(
      "Order Completed",
      [
        "order_id": .string("\(person.id)-order-\(state.orders)"), "items": .integer(lines.count),
        "total": .double(total(lines)), "currency": .string(person.market.currency),
        "coupon": dice.happens(0.1) ? "WELCOME10" : .null,
      ],
      after: 20...90
    )
    for (product, quantity) in lines {
      track(
        "Product Purchased",
        described(product).merging(["quantity": .integer(quantity)]),
        after: 0...0
      )
      var sale = Revenue(price: person.market.price(product.euros), quantity: quantity)
      sale.productID = product.id
      sale.revenueType = "purchase"
      sale.currency = person.market.currency
      append(.revenue(sale), after: 0...0)
      state.lastSale = sale
    }
    identify(.add("orders", 1).set("last_order_total", .double(total(lines))))
    if !state.isSubscriber, dice.happens(0.12) { subscribe() }
  }

  private mutating func subscribe() {
    state.isSubscriber = true
    track(
      "Subscription Started",
      [
        "product_id": "inkleaf-plus", "price": .double(person.market.price(3.99)), "quantity": 1,
        "currency": .string(person.market.currency), "period": "month",
      ],
      after: 10...60
    )
    var sale = Revenue(price: person.market.price(3.99))
    sale.productID = "inkleaf-plus"
    sale.revenueType = "subscription"
    sale.currency = person.market.currency
    append(.revenue(sale), after: 0...0)
    identify(.set("plan", "plus"))
  }

  private mutating func giveBack(_ sale: Revenue) {
    var refund = sale
    refund.price = sale.price.map { -$0 }
    refund.revenueType = "refund"
    append(.revenue(refund), after: 5...40)
  }

  private func described(_ product: Shop.Product) -> Properties {
    [
      "product_id": .string(product.id), "name": .string(product.name),
      "category": .string(product.category),
      "price": .double(person.market.price(product.euros)),
      "currency": .string(person.market.currency),
    ]
  }

  private func total(_ lines: [(product: Shop.Product, quantity: Int)]) -> Double {
    let sum = lines.reduce(0) { $0 + person.market.price($1.product.euros) * Double($1.quantity) }
    return (sum * 100).rounded() / 100
  }

  // MARK: Writing down

  private mutating func track(
    _ name: EventName,
    _ properties: Properties,
    after seconds: ClosedRange<Int>
  ) {
    append(.track(name, properties), after: seconds)
  }

  private mutating func identify(_ operations: IdentifyOperations) {
    append(.identify(operations), after: 0...0)
  }

  private mutating func append(_ kind: PlannedAction.Kind, after seconds: ClosedRange<Int>) {
    // A few milliseconds lie between two things that happen "at once".
    let lower = max(3, seconds.lowerBound * 1_000)
    nowMs += Int64(dice.number(lower...max(lower + 20, seconds.upperBound * 1_000)))
    let id = EventID(milliseconds: UInt64(nowMs), counter: 0, random: dice.bits())
    actions.append(
      PlannedAction(atMs: nowMs, id: id.description, kind: kind, visitMs: visitMs)
    )
  }

  /// What is no event and takes no time.
  private mutating func note(_ kind: PlannedAction.Kind) {
    actions.append(PlannedAction(atMs: nowMs, id: "", kind: kind, visitMs: visitMs))
  }
}
