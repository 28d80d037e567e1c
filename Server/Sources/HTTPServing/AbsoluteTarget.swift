/// A request target that names the server as well (`http://stats.example.com/healthz?a=1`), as what is sent to a
/// proxy does.
///
/// Source: RFC 9112, section 3.2.2. The scheme is `http` or `https`, in any case.
struct AbsoluteTarget {
  /// Host and port as sent, without what stands before an `@`; not empty.
  let authority: UnsafeRawBufferPointer
  /// Path and query as sent; empty or begins with `/` or `?`.
  let rest: UnsafeRawBufferPointer

  /// Splits a target; nil for one that is only a path, or that names no server.
  init?(_ target: UnsafeRawBufferPointer) {
    guard let scheme = Self.schemeLength(target) else { return nil }
    let behind = UnsafeRawBufferPointer(rebasing: target[scheme...])
    let end =
      behind.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? behind.count
    let whole = behind[..<end]
    let host = whole.lastIndex(of: UInt8(ascii: "@")).map { whole[($0 + 1)...] } ?? whole
    guard !host.isEmpty else { return nil }
    authority = UnsafeRawBufferPointer(rebasing: host)
    rest = UnsafeRawBufferPointer(rebasing: behind[end...])
  }

  private static func schemeLength(_ target: UnsafeRawBufferPointer) -> Int? {
    // Nearly every target is a path.
    guard target.first != UInt8(ascii: "/") else { return nil }
    return ["http://", "https://"].first { (scheme: StaticString) in
      let length = scheme.utf8CodeUnitCount
      return target.count > length
        && UnsafeRawBufferPointer(rebasing: target[..<length]).isEqualIgnoringCase(
          to: UnsafeRawBufferPointer(start: scheme.utf8Start, count: length)
        )
    }?.utf8CodeUnitCount
  }
}

extension Request {
  /// Takes a target that names the server as well apart: what is left is the path and the query, and the server's
  /// name stands in the place of the `Host` that was sent.
  ///
  /// Done once the header is complete, before anyone looks at the target.
  func splitTarget() {
    guard let absolute = AbsoluteTarget(target.bytes) else { return }
    headerTable.replace("Host", with: absolute.authority)
    var split = ByteBuffer()
    if absolute.rest.first != UInt8(ascii: "/") {
      withUnsafeBytes(of: UInt8(ascii: "/")) { split.append($0) }
    }
    split.append(absolute.rest)
    target.deallocate()
    target = split
  }
}
