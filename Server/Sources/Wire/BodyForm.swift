/// What a request's `Content-Type` says about its body.
enum BodyForm {
  /// JSON, or not said: the body's first bytes decide between one value and many lines.
  case json
  /// One JSON object a line.
  case lines

  /// The form of a media type; nil for one that no client of ours sends.
  ///
  /// Parameters such as `charset` are ignored: JSON is UTF-8. Beacons send JSON as `text/plain`.
  init?(contentType: String?) {
    if contentType == "application/json" {
      self = .json
      return
    }
    let type = (contentType ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 > 0x20 }
    switch String(decoding: type, as: UTF8.self).lowercased() {
    case "", "application/json", "text/json", "text/plain": self = .json
    case "application/x-ndjson", "application/ndjson", "application/jsonl",
      "application/x-jsonlines", "application/json-lines":
      self = .lines
    default: return nil
    }
  }
}
