import FootfallSystem

/// A disk whose writes wait until they are let go.
package struct StuckDisk {
  private let isStuck = Monitor(false)
  private let isFree = Monitor(false)
  private let files: MemoryFiles

  /// Makes every write to these files wait.
  package init(_ files: MemoryFiles) {
    self.files = files
    let (isStuck, isFree) = (isStuck, isFree)
    files.intercept { operation, _ in
      guard operation == .write else { return nil }
      isStuck.change { $0 = true }
      _ = isFree.wait { $0 ? true : nil }
      return nil
    }
  }

  /// Waits until a write waits.
  package func waitUntilStuck() {
    _ = isStuck.wait { $0 ? true : nil }
  }

  /// Lets all writes go.
  package func release() {
    files.intercept(nil)
    isFree.change { $0 = true }
  }
}
