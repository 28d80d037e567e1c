import CCrypto
import Foundation

/// The SHA-256 of files, by which a backup is known to be whole.
public enum FileDigest {
  /// 64 hexadecimal digits.
  ///
  /// - Throws: what the system says when the file cannot be read.
  public static func sha256(ofFile path: String) throws -> String {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    _ = EVP_DigestInit_ex(context, EVP_sha256(), nil)
    while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
      piece.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }
    try file.close()
    var digest = [UInt8](repeating: 0, count: 32)
    _ = EVP_DigestFinal_ex(context, &digest, nil)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
