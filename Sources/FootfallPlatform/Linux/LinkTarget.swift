#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a symbolic link points at; nil where there is none.
func linkTarget(of path: String) -> String? {
  let size = Int(PATH_MAX)
  var bytes = [CChar](repeating: 0, count: size)
  let count = readlink(path, &bytes, size)
  guard count > 0 else { return nil }
  return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
#endif
