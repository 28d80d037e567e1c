package import FootfallPlatform
public import Foundation

/// What the SDK is initialised with.
public struct PhaseConfig: Sendable, Hashable {
  /// The app's key, `phase_…`.
  public var apiKey: String
  /// The server's address, to which `/sdk/batch` is added.
  public var baseURL: String
  /// What is printed; nothing unless changed.
  public var logLevel: LogLevel
  /// Whether what is sent is marked as a developer's; false unless changed.
  public var debugData: Bool
  /// Whether model, system and the app's version are sent; true unless changed.
  public var deviceInfo: Bool
  /// Whether the locale is sent and the country looked up; true unless changed.
  public var userLocale: Bool

  /// A configuration from its parts.
  public init(
    apiKey: String,
    baseURL: String = "https://api.phase.sh",
    logLevel: LogLevel = .none,
    debugData: Bool = false,
    deviceInfo: Bool = true,
    userLocale: Bool = true
  ) {
    self.apiKey = apiKey
    self.baseURL = baseURL
    self.logLevel = logLevel
    self.debugData = debugData
    self.deviceInfo = deviceInfo
    self.userLocale = userLocale
  }

  /// What every key begins with.
  static let keyPrefix = "phase_"

  /// What is sent where.
  var codec: PhaseCodec {
    var codec = PhaseCodec(baseURL: baseURL, key: apiKey)
    codec.sendsDeviceInfo = deviceInfo
    codec.sendsLocale = userLocale
    codec.isDebug = debugData
    return codec
  }
}

/// What the SDK prints: lines of a level and of those that matter more.
public enum LogLevel: String, Sendable, Hashable, CaseIterable {
  /// What happens in normal running.
  case info
  /// What was dropped or will be tried again.
  case warn
  /// What does not work.
  case error
  /// Nothing.
  case none

  /// The least level that is printed; nil for none.
  package var threshold: FootfallPlatform.LogLevel? {
    switch self {
    case .info: .info
    case .warn: .warning
    case .error: .error
    case .none: nil
    }
  }
}

/// Why a call of the SDK did not do what was asked.
///
/// `initialize` throws `invalidAPIKey`; the others are those of Phase's own SDK, and thrown by none here:
/// what fails later is tried again, and said in the log.
public enum PhaseError: Error, Sendable, Hashable {
  /// The key is empty, blank or does not begin with `phase_`.
  case invalidAPIKey
  /// The SDK is not initialised.
  case notInitialized
  /// A value cannot be sent.
  case validationFailed(String)
  /// The network failed.
  case networkError(String)
  /// The server answered with an error.
  case httpError(statusCode: Int, message: String)
  /// The storage failed.
  case storageError(String)
  /// Something could not be written as JSON.
  case encodingError
  /// An answer could not be read.
  case decodingError
  /// An answer took too long.
  case timeout
}

extension PhaseError: LocalizedError {
  /// What happened, in a sentence.
  public var errorDescription: String? {
    switch self {
    case .invalidAPIKey:
      "The API key does not begin with \(PhaseConfig.keyPrefix). Pass the key of the app's project."
    case .notInitialized: "The SDK is not initialised. Call initialize first."
    case .validationFailed(let what): "A value cannot be sent: \(what)"
    case .networkError(let what): "The network failed: \(what)"
    case .httpError(let status, let message): "The server answered \(status): \(message)"
    case .storageError(let what): "The storage failed: \(what)"
    case .encodingError: "A value could not be written as JSON."
    case .decodingError: "An answer could not be read."
    case .timeout: "The server took too long to answer."
    }
  }
}
