import HTTPServing
import Testing

@Suite struct `What clients are told` {
  @Test(arguments: [
    ("/srv/data/catalogue.sqlite cannot be written.", "catalogue.sqlite cannot be written."),
    (
      "The disk is full: “/srv/foot fall/catalogue.sqlite” cannot be written.",
      "The disk is full: “catalogue.sqlite” cannot be written."
    ),
    (
      #"IO Error: Could not write "/srv/foot fall/data/events.duckdb": No space left"#,
      #"IO Error: Could not write "events.duckdb": No space left"#
    ),
    ("It lies in /srv/data/log/.", "It lies in log."),
    ("opened (/a/b/c), then /a/b/d; and no more", "opened (c), then d; and no more"),
    ("path=/a/b", "path=b"),
    ("/srv/foot fall/state.sqlite is damaged.", "state.sqlite is damaged."),
  ])
  func `has no place of a file`(text: String, told: String) {
    #expect(ClientText.of(text) == told)
  }

  @Test(arguments: [
    "SELECT a / b FROM t", "SELECT a /b", "https://example.com/hook/a failed", "5/7 of it",
    "and/or",
    "Der Pfad ist weg.", "/", "//", "",
  ])
  func `is else as it was`(text: String) {
    #expect(ClientText.of(text) == text)
  }
}
