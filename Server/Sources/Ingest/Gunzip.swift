/// Takes gzip's packing off whole files.
public enum Gunzip {
  /// The plain bytes.
  ///
  /// - Parameters:
  ///   - bytes: one or more gzip members.
  ///   - maxBytes: how many plain bytes at most.
  /// - Returns: nil when it is no gzip, is cut short or damaged, or would become larger.
  public static func inflate(_ bytes: [UInt8], maxBytes: Int) -> [UInt8]? {
    var bound = Inflater.Bound()
    bound.maxBytes = maxBytes
    // Lists of endpoints repeat themselves; the bound in bytes is what protects.
    bound.maxRatio = 1_000
    // The bytes are the inflater's until they are copied.
    let inflater = Inflater()
    do {
      return try withExtendedLifetime(inflater) {
        try bytes.withUnsafeBytes { Array(try inflater.inflate($0, bound: bound)) }
      }
    } catch {
      return nil
    }
  }
}
