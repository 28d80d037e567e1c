/// The kind of browser that a `User-Agent` names, for the list of sessions: no version, no address.
enum BrowserName {
  static func of(_ agent: String?) -> String {
    guard let agent else { return "" }
    func first(_ names: [(sign: String, name: String)]) -> String? {
      names.first { agent.contains($0.sign) }?.name
    }
    // Most claim to be each other, so the order matters.
    let browser = first([
      ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS", "Firefox"),
      ("Chrome/", "Chrome"), ("CriOS", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
    ])
    let system = first([
      ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Mac OS X", "Mac"),
      ("Windows", "Windows"), ("Linux", "Linux"),
    ])
    switch (browser, system) {
    case (let browser?, let system?): return "\(browser) on \(system)"
    case (let known?, nil), (nil, let known?): return known
    case (nil, nil): return ""
    }
  }
}
