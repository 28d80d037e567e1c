import Testing

@testable import FootfallEngine

@Suite struct `The newest events of places` {
  @Test func `come back as they were stored, whatever is in them`() {
    var newest = NewestEvents()
    for (place, content) in [("plain", "c"), ("a\nb", "device a\nb"), ("", "")] {
      let entry = NewestEvents.Entry(
        place: place,
        commonContent: Array(content.utf8),
        event: Array("{\"at\":\"\(place)\"}".utf8)
      )
      newest.put(entry)
    }
    #expect(NewestEvents(newest.encoded) == newest)
  }
}
