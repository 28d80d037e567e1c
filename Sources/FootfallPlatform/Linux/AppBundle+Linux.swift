#if os(Linux)
import Foundation

extension AppBundle {
  /// The bundle, if the executable is in one.
  ///
  /// Foundation lists the whole folder of an executable, four times, to see whether it is a bundle:
  /// 140 ms of the engine's thread beside 18,000 files, in which nothing that was tracked is written.
  /// So a bundle is looked for by its names first.
  static var main: Bundle? { isInBundle ? .main : nil }

  private static let isInBundle: Bool = {
    guard let path = executablePath else { return true }
    return infoPlaces(ofExecutable: path).contains { FileManager.default.fileExists(atPath: $0) }
  }()

  /// The executable's path with every link followed, as Foundation names it; nil where `/proc` is not there.
  static var executablePath: String? {
    guard let path = linkTarget(of: "/proc/self/exe") else { return nil }
    // So the kernel marks one that was replaced while it runs.
    let mark = " (deleted)"
    guard path.hasSuffix(mark), !FileManager.default.fileExists(atPath: path) else { return path }
    return String(path.dropLast(mark.count))
  }

  /// Where an executable's `Info.plist` may be: beside it, in the resources that go with it or with a
  /// program that is installed, or in the folders of a bundle that it lies in.
  static func infoPlaces(ofExecutable path: String) -> [String] {
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let folders = [
      "", "Resources", "Contents", "\(name).resources", "../share/\(name).resources", "..",
      "../Resources", "../..",
    ]
    return folders.map { ((folder as NSString).appendingPathComponent($0) as NSString) }
      .map { $0.appendingPathComponent("Info.plist") }
  }
}
#endif
