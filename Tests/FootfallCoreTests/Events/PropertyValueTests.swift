import FootfallCore
import Foundation
import Testing

@Suite struct `Property values` {
  // SDL 12
  @Test func `an Any becomes the value it was made as, or nothing`() {
    let rows: [(Any, PropertyValue?)] = [
      ("x", .string("x")), (NSString("x"), .string("x")), ("xyz".dropFirst(), .string("yz")),
      (412, .integer(412)), (0.5, .double(0.5)), (true, .boolean(true)), (false, .boolean(false)),
      (NSNumber(value: true), .boolean(true)), (NSNumber(value: false), .boolean(false)),
      (NSNumber(value: 1), .integer(1)), (NSNumber(value: 0), .integer(0)),
      (NSNumber(value: Int8(1)), .integer(1)), (NSNumber(value: UInt8(1)), .integer(1)),
      (NSNumber(value: 1.5), .double(1.5)), (NSNumber(value: Float(0.1)), .double(0.1)),
      (NSNumber(value: 9_007_199_254_740_993), .integer(9_007_199_254_740_993)),
      (NSNumber(value: UInt64.max), nil),
      (Float(1.5), .double(1.5)), (CGFloat(2), .double(2)),
      (Int8.min, .integer(-128)), (Int16.max, .integer(32_767)),
      (Int32.min, .integer(-2_147_483_648)),
      (Int64.max, .integer(Int64.max)), (Int64.min, .integer(Int64.min)),
      (UInt8.max, .integer(255)),
      (UInt16.max, .integer(65_535)), (UInt32.max, .integer(4_294_967_295)),
      (UInt64(7), .integer(7)), (UInt64(Int64.max), .integer(Int64.max)),
      (UInt64(Int64.max) + 1, nil), (UInt.max, nil),
      (Decimal(string: "12.34") as Any, .double(12.34)),
      (Double.infinity, .double(.infinity)),
      (Optional(5) as Any, .integer(5)), (Optional(Optional("x")) as Any, .string("x")),
      (Optional(true) as Any, .boolean(true)), (Optional<Int>.none as Any, nil),
      (Optional(Optional<Int>.none) as Any, nil),
      (Date(), nil), ([1], nil), (["a": 1], nil), (NSNull(), nil),
      (PropertyValue.integer(3), .integer(3)),
      ((), nil),
    ]
    for (input, expected) in rows {
      #expect(PropertyValue(bridging: input) == expected, "\(type(of: input)) \(input)")
      // One that is known to be a number takes another way.
      guard let number = input as? NSNumber else { continue }
      #expect(PropertyValue(bridging: number) == expected, "\(type(of: input)) \(input)")
    }
  }

  @Test func `what is no number stays one until the event is written`() throws {
    guard case .double(let number) = PropertyValue(bridging: Double.nan) else {
      Issue.record("It should be a double.")
      return
    }
    #expect(number.isNaN)
  }

  @Test func `literals need no case names`() {
    let values: [PropertyValue] = ["png", 412, 0.5, true, nil, [1, "a"], ["k": [2]]]
    #expect(
      values == [
        .string("png"), .integer(412), .double(0.5), .boolean(true), .null,
        .array([.integer(1), .string("a")]), .object(["k": .array([.integer(2)])]),
      ]
    )
  }

  @Test(
    arguments: [
      (PropertyValue(Int64.max), .integer(Int64.max)), (PropertyValue(UInt8(7)), .integer(7)),
      (PropertyValue(UInt64.max), .double(18_446_744_073_709_551_616)),
      (PropertyValue(CGFloat(2.5)), .double(2.5)), (PropertyValue(Float(0.1)), .double(0.1)),
      (PropertyValue(Decimal(string: "12.34") ?? 0), .double(12.34)),
      (PropertyValue(Decimal(string: "9007199254740993") ?? 0), .integer(9_007_199_254_740_993)),
      (PropertyValue(Bool("true") ?? false), .boolean(true)),
      (PropertyValue("abc".dropFirst()), .string("bc")),
      (
        PropertyValue(Date(timeIntervalSince1970: 1_764_581_400.123)),
        .string("2025-12-01T09:30:00.123Z")
      ),
      (PropertyValue(Date(timeIntervalSince1970: -0.001)), .string("1969-12-31T23:59:59.999Z")),
      (PropertyValue(Date.distantFuture), .string("4001-01-01T00:00:00.000Z")),
      (
        PropertyValue(URL(fileURLWithPath: "/b c", relativeTo: nil)), .string("file:///b%20c")
      ),
      (
        PropertyValue(UUID(uuidString: "0F0B7C9E-5A1D-4C2E-9D3F-000000000001") ?? UUID()),
        .string("0f0b7c9e-5a1d-4c2e-9d3f-000000000001")
      ),
    ] as [(PropertyValue, PropertyValue)]
  )
  func `variables of common types become values`(value: PropertyValue, expected: PropertyValue) {
    #expect(value == expected)
  }

  @Test func `a link is sent in its absolute form`() throws {
    let base = try #require(URL(string: "https://example.com/a/"))
    let link = try #require(URL(string: "b?c=1", relativeTo: base))
    #expect(PropertyValue(link) == "https://example.com/a/b?c=1")
  }

  // AMP T8, T7
  @Test func `nested lists and dictionaries are converted whole`() {
    let link = URL(string: "https://example.com")
    let input: [String: Any] = [
      "nested": [[["a": ["b": 1]]]], "exact": 9_007_199_254_740_993, "yes": true,
      "decimal": Decimal(string: "12.34") as Any, "unsigned": UInt(7), "large": UInt64.max,
      "date": Date(timeIntervalSince1970: 0), "list": [[1]], "null": NSNull(),
      "none": Optional<String>.none as Any, "link": link as Any,
      "numbers": [NSNumber(value: 1), NSNumber(value: true)],
    ]
    #expect(
      PropertyValue(converting: input)
        == [
          "nested": [[["a": ["b": 1]]]], "exact": 9_007_199_254_740_993, "yes": true,
          "decimal": 12.34, "unsigned": 7, "large": .double(18_446_744_073_709_551_616),
          "date": "1970-01-01T00:00:00.000Z", "list": [[1]], "null": nil, "none": nil,
          "link": "https://example.com", "numbers": [1, true],
        ]
    )
  }

  @Test func `what no JSON can hold is named`() {
    struct Song {}
    var unsupported: [String] = []
    let properties = Properties(
      converting: ["song": Song(), "list": [Song(), 1] as [Any], "n": 1],
      unsupported: &unsupported
    )
    #expect(properties == ["list": [1], "n": 1])
    #expect(unsupported == ["song"])
    #expect(PropertyValue(converting: Song()) == nil)
  }

  private struct Song: Encodable {
    let title = "Because"
    let seconds: Int64 = 9_007_199_254_740_993
    let price = Decimal(1_234) / 100
    let live = false
    let recorded = Date(timeIntervalSince1970: 0)
    let takes = [[1], []]
  }
  private enum Genre: String, Encodable { case rock }
  private struct Broken: Encodable {
    let number = Double.nan
  }

  @Test func `what writes itself by Encodable is taken, alone and inside of others`() {
    let song: PropertyValue = [
      "title": "Because", "seconds": 9_007_199_254_740_993, "price": 12.34, "live": false,
      "recorded": "1970-01-01T00:00:00.000Z", "takes": [[1], []],
    ]
    #expect(PropertyValue(converting: Song()) == song)
    #expect(
      PropertyValue(converting: ["songs": [Song()], "genre": Genre.rock] as [String: Any])
        == ["songs": [song], "genre": "rock"]
    )
    #expect(PropertyValue(converting: Broken()) == nil)
  }

  @Test(arguments: [(100, true), (101, false)])
  func `what lies deeper than 100 levels is left out`(levels: Int, isKept: Bool) {
    var list: [Any] = ["x"]
    for _ in 1..<levels { list = [list] }
    var found = PropertyValue(converting: list)
    while case .array(let values) = found { found = values.first }
    #expect((found == "x") == isKept)
  }

  @Test(
    arguments: [
      (1_764_581_400_123.0, 1_764_581_400_123), (-1, -1), (1e300, Int64.max), (-1e300, .min),
      (Double.nan, 0),
    ] as [(Double, Int64)]
  )
  func `a date made from milliseconds gives them back`(milliseconds: Double, expected: Int64) {
    let date = Date(timeIntervalSince1970: milliseconds / 1_000)
    #expect(Timestamp.milliseconds(of: date) == expected)
  }
}
