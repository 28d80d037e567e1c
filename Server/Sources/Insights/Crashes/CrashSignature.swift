import EventRecord
public import EventStore

/// What crashes are told apart by: the exception's name, and the first frame that is the app's own.
///
/// Addresses differ from run to run and line numbers from build to build, so neither counts.
public struct CrashSignature: Sendable, Hashable {
  /// What a native crash report and SimpleDataLogs' `app_crashed` are called.
  public static let eventName = "app_crashed"

  /// The exception's name; empty where the report has none.
  public let exception: String
  /// The frame, as image and symbol; empty where the report has no stack.
  public let frame: String

  /// The signature of a crash.
  ///
  /// - Parameters:
  ///   - exception: the exception's name.
  ///   - stack: a frame a line, as `backtrace` and `NSException` write them:
  ///     `3   MyApp 0x0000000104a1b2c3 main + 12`.
  public init(exception: String, stack: String) {
    self.exception = exception
    let frames = stack.split(whereSeparator: \.isNewline).map(Frame.init)
      .filter { !$0.image.isEmpty }
    frame = (frames.first { !$0.isOfSystem } ?? frames.first)?.text ?? ""
  }

  /// The signature of a crash as it is stored.
  public init(of event: StoredEvent) {
    let members = PropertyValue.members(of: event.properties) ?? [:]
    func text(_ name: String) -> String {
      if case .text(let text)? = members[name] { text } else { "" }
    }
    self.init(
      exception: text("exception_name"),
      stack: String(
        String.UnicodeScalarView(text("stack").unicodeScalars.prefix(Crashes.stackCharacters))
      )
    )
  }

  /// The signature as sixteen hexadecimal digits, the same on every machine; FNV-1a of its texts.
  public var id: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in Array(exception.utf8) + [0] + Array(frame.utf8) {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Told apart byte by byte, as their `id`s are.
  public static func == (a: Self, b: Self) -> Bool {
    ExactText(a.exception) == ExactText(b.exception) && ExactText(a.frame) == ExactText(b.frame)
  }

  /// Feeds both texts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactText(exception))
    hasher.combine(ExactText(frame))
  }

  /// One line of a stack.
  struct Frame {
    /// The library or program it is in.
    let image: String
    /// What runs there, without addresses and lines.
    let symbol: String

    /// Images that come with the system: what is at fault is rarely in them.
    private static let ofSystem: Set = [
      "AppKit", "CFNetwork", "CoreAutoLayout", "CoreData", "CoreFoundation", "CoreText",
      "Foundation",
      "FrontBoardServices", "GraphicsServices", "HIToolbox", "QuartzCore", "SwiftUI", "SwiftUICore",
      "UIFoundation", "UIKit", "UIKitCore", "WebKit", "dyld", "libc++abi.dylib", "libdyld.dylib",
      "libdispatch.dylib", "libobjc.A.dylib", "libswiftCore.dylib",
    ]

    init(_ line: Substring) {
      var words = line.split(whereSeparator: \.isWhitespace)
      if let first = words.first, first.allSatisfy(\.isNumber) { words.removeFirst() }
      image = words.first.map(String.init) ?? ""
      words = words.dropFirst().filter { !$0.hasPrefix("0x") }
      // An offset into a symbol moves with every build; into a program without symbols it is all there is.
      if words.count > 2, words[words.count - 2] == "+" { words.removeLast(2) }
      symbol = words.map(Self.withoutLine).joined(separator: " ")
    }

    var isOfSystem: Bool {
      Self.ofSystem.contains(image) || image.hasPrefix("libsystem_") || image.hasPrefix("libswift")
    }

    var text: String { symbol.isEmpty ? image : image + " " + symbol }

    /// `(Foo.swift:42)` without its line.
    private static func withoutLine(_ word: Substring) -> Substring {
      guard word.hasPrefix("("), word.hasSuffix(")"), let colon = word.lastIndex(of: ":"),
        word[word.index(after: colon)...].dropLast().allSatisfy(\.isNumber)
      else { return word }
      return word[..<colon] + ")"
    }
  }
}
