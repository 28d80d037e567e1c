extension Catalog {
  /// Makes a key that Phase's SDK takes: `phase_` and 32 letters and digits.
  ///
  /// From then on it is like one that was adopted.
  ///
  /// - Parameters:
  ///   - project: Its project.
  ///   - label: What people call it, up to 100 characters.
  ///   - actor: Who makes it.
  /// - Returns: The key with its text, which stays readable: it is made for apps.
  /// - Throws: `unknownProject`; `invalid` for a label over 100 characters.
  public func createPhaseKey(
    project: UInt32,
    label: String = "",
    by actor: Actor = .server
  ) throws(CatalogError) -> CreatedKey {
    let value = "phase_" + Secrets.token(length: 32)
    let key = try adoptKey(project: project, kind: .phase, value: value, label: label, by: actor)
    return CreatedKey(key: key, plaintext: value)
  }
}
