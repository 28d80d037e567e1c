/// Code to paste, with a button that copies it.
struct Snippet {
  /// A name that is unique on the page.
  let id: String
  /// What it is, for the button's label.
  let label: String
  /// What it is written in, above it.
  var language = "Terminal"
  let code: String

  var html: HTML {
    """
    <div class="code"><div class="code-bar"><span>\(language)</span><button type="button" \
    class="copy" data-copy="\(id)" aria-label="Copy \(label)">Copy</button></div>\
    <pre id="\(id)">\(code)</pre></div>
    """
  }

  /// The three lines that send a first event from Swift.
  static func swift(key: String, endpoint: String) -> Snippet {
    Snippet(
      id: "snippet-swift",
      label: "the three lines",
      language: "Swift",
      code: [
        "import Footfall",
        "let footfall = FootfallClient(key: \"\(key)\", endpoint: URL(string: \"\(endpoint)\")!)",
        "footfall.track(\"Song Played\", [\"title\": \"Here Comes the Sun\", \"duration_s\": 185])",
      ].joined(separator: "\n")
    )
  }

  /// The same from a terminal.
  static func curl(key: String, endpoint: String) -> Snippet {
    Snippet(
      id: "snippet-curl",
      label: "the command",
      code: """
        curl \(endpoint)/v1/events \\
          -H "Authorization: Bearer \(key)" -H "Content-Type: application/json" \\
          -d '{"events":[{"id":"hello-'$(date +%s)'","ts":'$(date +%s)'000,"name":"Hello","device_id":"my-terminal"}]}'
        """
    )
  }
}
