/// Where a group's profile is.
struct GroupAddress {
  let type: String
  let name: String

  init(_ type: String, _ name: String) {
    self.type = type
    self.name = name
  }

  func address(project: UInt32) -> Address {
    Address("projects", "\(project)", "people", "group").with("type", type).with("name", name)
  }
}
