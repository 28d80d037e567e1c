/// The pages about people, one of them chosen.
enum PeopleTabs: String, CaseIterable {
  case people
  case groups
  case segments
  case lists

  var title: String {
    switch self {
    case .people: "People"
    case .groups: "Groups"
    case .segments: "Segments"
    case .lists: "Lists"
    }
  }

  func address(project: UInt32) -> Address {
    let path = ["projects", "\(project)", "people"]
    return Address(segments: self == .people ? path : path + [rawValue])
  }

  func html(project: UInt32) -> HTML {
    let items = Self.allCases.map { tab -> HTML in
      """
      <a href="\(tab.address(project: project))"\(#" aria-current="true""#, if: tab == self)>\(tab.title)</a>

      """
    }
    return #"<nav class="tabs tabs-page" aria-label="About people">\#(items)</nav>"#
  }
}
