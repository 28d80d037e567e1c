import FootfallSystem
public import Foundation

/// What the configuration file, `awsconfiguration.json`, says.
///
/// It is looked for in the app's bundle, and on Linux beside the executable and then in the folder the
/// process was started in. Safety: never changes once it is read.
public final class AWSInfo: NSObject, @unchecked Sendable {
  /// The whole file; empty without one.
  public let rootInfoDictionary: [String: Any]
  /// Why there is no file, as a sentence; nil if there is.
  package let problem: String?

  /// The file's name.
  package static let fileName = "awsconfiguration.json"
  private static let shared = Lock<AWSInfo?>(nil)

  init(_ contents: [String: Any], problem: String? = nil) {
    rootInfoDictionary = contents
    self.problem = problem
  }

  /// A file of these contents.
  package static func contents(_ contents: [String: Any]) -> AWSInfo { AWSInfo(contents) }

  /// What the file says, read once.
  public static func `default`() -> AWSInfo {
    shared.withLock { shared in
      if let shared { return shared }
      let read = AWSInfo.read(from: places)
      shared = read
      return read
    }
  }

  /// Says what the file would, for apps that have none; counts for clients made afterwards.
  public static func configureDefaultAWSInfo(_ config: [String: Any]) {
    // Held by nobody else: its values are those of a file, or of a literal.
    nonisolated(unsafe) let config = config
    shared.withLock { $0 = AWSInfo(config) }
  }

  /// What the file says of a service, in its section `Default`; nil if it has none.
  public func defaultServiceInfo(_ serviceName: String) -> AWSServiceInfo? {
    serviceInfo(serviceName, forKey: "Default")
  }

  /// What the file says of a service, in a section of it; nil if it has none.
  public func serviceInfo(_ serviceName: String, forKey key: String) -> AWSServiceInfo? {
    let service = rootInfoDictionary[serviceName] as? [String: Any]
    return (service?[key] as? [String: Any]).map { AWSServiceInfo($0) }
  }

  /// The first file there is, of some.
  ///
  /// The file may hold a secret, and a parser may quote what is around the place it stopped at: what the
  /// system says of an error is told by its number alone.
  package static func read(from paths: [String]) -> AWSInfo {
    guard let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
      return AWSInfo([:], problem: "there is no file \(fileName)")
    }
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      let number = (error as NSError).code
      return AWSInfo([:], problem: "\(path) cannot be read (error \(number))")
    }
    do {
      let contents = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      return AWSInfo(contents ?? [:], problem: contents == nil ? "\(path) is no JSON object" : nil)
    } catch {
      return AWSInfo([:], problem: "\(path) is not JSON")
    }
  }

  private static var places: [String] {
    let bundled = Bundle.main.path(forResource: "awsconfiguration", ofType: "json")
    #if os(Linux)
    let beside = Bundle.main.bundlePath + "/" + fileName
    return [bundled, beside, fileName].compactMap(\.self)
    #else
    return [bundled].compactMap(\.self)
    #endif
  }
}

/// What the configuration file says of a service.
///
/// Safety: never changes.
public final class AWSServiceInfo: NSObject, @unchecked Sendable {
  /// The section as it stands there.
  public let infoDictionary: [String: Any]

  init(_ section: [String: Any]) {
    infoDictionary = section
  }

  /// The region; `Unknown` if it is none of Amazon's, or none is named.
  public var region: AWSRegionType { AWSRegionType(name: text("Region") ?? "") }

  /// A text under a key; nil for anything else, and for an empty one.
  package func text(_ key: String) -> String? {
    guard let text = infoDictionary[key] as? String, !text.isEmpty else { return nil }
    return text
  }
}
