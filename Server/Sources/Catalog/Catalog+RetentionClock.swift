extension Catalog {
  /// What the retention keeps of its clock, as it wrote it; nil before it ran.
  public func retentionClock() throws(CatalogError) -> String? {
    try read { (database) throws(CatalogError) in
      try database.rows("SELECT value FROM meta WHERE name = 'retention_clock'") { $0.text(0) }
        .first
    }
  }

  /// Keeps what the retention has to know of its clock.
  public func setRetentionClock(_ text: String) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      _ = try database.run(
        "INSERT OR REPLACE INTO meta VALUES ('retention_clock', ?)",
        .text(text)
      )
    }
  }
}
