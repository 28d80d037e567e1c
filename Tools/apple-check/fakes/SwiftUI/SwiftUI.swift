// SwiftUI, as far as tests need it: views whose appearing a test brings about.
// Signatures are those of the stub.
@_exported import Foundation

// ---- what a test does

@MainActor
public enum FakeSwiftUI {
  /// The texts that were shown since the last reset.
  public static var shown: [String] = []

  /// Forgets everything, between tests.
  public static func reset() { shown = [] }

  /// Lets a view appear: everything in it first, then itself.
  public static func appear(_ view: some View) { each(view) { $0.appeared() } }

  /// Lets a view disappear.
  public static func disappear(_ view: some View) { each(view) { $0.disappeared() } }

  /// Lets the first window of an app's scene appear.
  public static func appear(_ scene: some Scene) {
    if let window = scene as? any FakeWindow { window.appear() } else { appear(scene.body) }
  }

  static func each(_ view: some View, _ tell: (any FakeNode) -> Void) {
    guard let node = view as? any FakeNode else { return each(view.body, tell) }
    node.eachInside(tell)
    tell(node)
  }
}

@MainActor protocol FakeNode {
  func eachInside(_ tell: (any FakeNode) -> Void)
  func appeared()
  func disappeared()
}

extension FakeNode {
  func eachInside(_ tell: (any FakeNode) -> Void) {}
  func appeared() {}
  func disappeared() {}
}

@MainActor protocol FakeWindow { func appear() }

// ---- views

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
  public typealias Body = Never
  @MainActor @preconcurrency public var body: Never { fatalError("a view of its own has no body") }
}

extension View where Self.Body == Never {
  @MainActor @preconcurrency public var body: Never { fatalError("a view of its own has no body") }
}

@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }
  @MainActor public static func buildBlock<each Content>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> where repeat each Content: View {
    var parts: [AnyView] = []
    repeat parts.append(AnyView(each content))
    return TupleView((repeat each content), parts)
  }
}

@MainActor @preconcurrency public struct EmptyView: View, FakeNode {
  public typealias Body = Never
  nonisolated public init() {}
}

@MainActor @preconcurrency public struct AnyView: View, FakeNode {
  public typealias Body = Never
  let visit: @MainActor ((any FakeNode) -> Void) -> Void
  public init<V>(_ view: V) where V: View { visit = { tell in FakeSwiftUI.each(view, tell) } }
  func eachInside(_ tell: (any FakeNode) -> Void) { visit(tell) }
}

@MainActor @preconcurrency public struct TupleView<T>: View, FakeNode {
  public typealias Body = Never
  let parts: [AnyView]
  init(_ value: T, _ parts: [AnyView]) { self.parts = parts }
  func eachInside(_ tell: (any FakeNode) -> Void) { for part in parts { FakeSwiftUI.each(part, tell) } }
}

@MainActor @preconcurrency public struct Text: View, FakeNode {
  public typealias Body = Never
  let text: String
  nonisolated public init<S>(_ content: S) where S: StringProtocol { text = String(content) }
  func appeared() { FakeSwiftUI.shown.append(text) }
}

@MainActor @preconcurrency public struct VStack<Content>: View, FakeNode where Content: View {
  public typealias Body = Never
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func eachInside(_ tell: (any FakeNode) -> Void) { FakeSwiftUI.each(content, tell) }
}

// ---- appearing

struct FakeAppearance<Content: View>: View, FakeNode {
  typealias Body = Never
  let content: Content
  var appear: (() -> Void)?
  var disappear: (() -> Void)?
  func eachInside(_ tell: (any FakeNode) -> Void) { FakeSwiftUI.each(content, tell) }
  func appeared() { appear?() }
  func disappeared() { disappear?() }
}

extension View {
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    FakeAppearance(content: self, appear: action)
  }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    FakeAppearance(content: self, disappear: action)
  }
}

// ---- modifiers

@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
  typealias Content = _ViewModifier_Content<Self>
}

@MainActor @preconcurrency public struct _ViewModifier_Content<Modifier>: View, FakeNode where Modifier: ViewModifier {
  public typealias Body = Never
  let view: AnyView
  func eachInside(_ tell: (any FakeNode) -> Void) { FakeSwiftUI.each(view, tell) }
}

public struct ModifiedContent<Content, Modifier> {
  public var content: Content
  public var modifier: Modifier
  nonisolated public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}

extension ModifiedContent: View, FakeNode where Content: View, Modifier: ViewModifier {
  public typealias Body = Never
  func eachInside(_ tell: (any FakeNode) -> Void) {
    FakeSwiftUI.each(modifier.body(content: _ViewModifier_Content(view: AnyView(content))), tell)
  }
}

extension View {
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}

// ---- apps

// What SwiftUI brings along of UIKit, where that has no fake of its own.

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIApplication: UIResponder {
  public static let shared = UIApplication()
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

@MainActor public protocol UIApplicationDelegate: AnyObject {
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
}


@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: Scene {}

@MainActor @preconcurrency public struct WindowGroup<Content>: Scene, FakeWindow where Content: View {
  public typealias Body = Never
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public var body: Never { fatalError("a scene of its own has no body") }
  func appear() { FakeSwiftUI.appear(content) }
}

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @MainActor @preconcurrency var body: Self.Body { get }
  @MainActor @preconcurrency init()
}
