public import Catalog
public import HTTPServing

/// What an operator decides about the dashboard.
public struct DashboardSettings: Sendable {
  /// Where people and apps reach this server, such as `https://footfall.example.com`.
  ///
  /// Nil (the default) takes the address the browser used. With `https` cookies are marked
  /// `Secure`, so that they never travel unencrypted.
  public var publicURL: String?
  /// The program's version, shown at the foot of every page.
  public var version: String
  /// What to type on the server for a new sign-in link; shown to people who cannot get in.
  public var signInCommand: String
  /// The folder of files that exports made; nil offers none.
  public var exports: String?
  /// What takes gzip's packing off a file that is sent, up to so many bytes; nil for what is no gzip.
  public var inflate: @Sendable ([UInt8], Int) -> [UInt8]?
  /// Where files go that are sent to be imported; nil takes none.
  public var uploads: UploadFolder?
  /// For how long a page waits for the answer to its question, in seconds, before it shows how far the
  /// answer is; a quarter of a second.
  public var answerPatienceSeconds = 0.25
  /// Why nothing could ever be sent to a webhook, as a sentence; nil, the default, where something may be.
  public var webhookRefusal: @Sendable (_ address: String) -> String? = { _ in nil }
  /// Is told in full what people are told without the places of files; nobody is, by default.
  public var faults = FaultLog()

  /// Settings for a server on one's own machine.
  public init(
    publicURL: String? = nil,
    version: String = "0.1.0",
    signInCommand: String = "footfall sign-in",
    exports: String? = nil,
    uploads: UploadFolder? = nil,
    inflate: @escaping @Sendable ([UInt8], Int) -> [UInt8]? = { _, _ in nil }
  ) {
    self.publicURL = publicURL
    self.version = version
    self.signInCommand = signInCommand
    self.exports = exports
    self.inflate = inflate
    self.uploads = uploads
  }

  /// Whether people reach the dashboard through TLS.
  var isBehindTLS: Bool { publicURL?.lowercased().hasPrefix("https://") == true }
}
