public import Catalog
public import HTTPServing
internal import Wire

/// The routes by which apps ask for their configuration.
///
/// ```swift
/// ConfigurationRoutes(catalog: catalog).install(in: &router)
/// ```
public struct ConfigurationRoutes: Sendable {
  private let resolve: @Sendable (UnsafeRawBufferPointer) -> KeyResolution
  private let settings: @Sendable (UInt32) throws(CatalogError) -> RemoteSettings

  /// Seconds after which clients are asked to come again while the catalogue cannot be read.
  private static let retrySeconds = 30

  /// Makes the routes; the catalogue knows the keys and the settings.
  public init(catalog: Catalog) {
    self.init(
      resolve: { catalog.resolve(ingestKey: $0) },
      settings: { (project) throws(CatalogError) in try catalog.remoteSettings(project: project) }
    )
  }

  init(
    resolve: @escaping @Sendable (UnsafeRawBufferPointer) -> KeyResolution,
    settings: @escaping @Sendable (UInt32) throws(CatalogError) -> RemoteSettings
  ) {
    self.resolve = resolve
    self.settings = settings
  }

  /// Adds `GET /v1/config`.
  public func install(in router: inout Router) {
    var options = RouteOptions()
    options.maxBodyBytes = 0
    options.isLogged = false
    options.isQuick = true
    router.get("/v1/config", options: options) { .now(native($0)) }
    router.get("/config/:key", options: options) { .now(amplitude($0, key: $0.parameter("key"))) }
    router.get("/config", options: options) { .now(amplitude($0, key: $0.query("api_key") ?? "")) }
    for path in ["/v1/config", "/config/:key", "/config"] {
      router.options(path, options: options) { .now(PreparedAnswers.preflight($0)) }
    }
  }

  /// `{"config":{…},"version":3}`, or 304 for whoever has that already.
  private func native(_ request: Request) -> Response {
    let resolution = PresentedKey.withBytes(of: request) { $0.map(resolve) ?? .unknown }
    guard case .project(let project, _) = resolution else {
      return PreparedAnswers.response(NativeEvents.unknownKey())
    }
    return answer(
      request,
      project: project,
      orElse: NativeEvents.overloaded(retryAfterSeconds: Self.retrySeconds)
    ) { "{\"config\":\($0.document),\"version\":\($0.version)}" }
  }

  /// `{"configs":{…}}` for Amplitude's clients: all that the project has, whatever part they ask for.
  ///
  /// An unknown key gets no settings rather than a refusal: clients then keep their own.
  private func amplitude(_ request: Request, key: String) -> Response {
    var key = key
    let resolution = key.withUTF8 { resolve(UnsafeRawBufferPointer($0)) }
    guard case .project(let project, _) = resolution else {
      return Self.found("{\"configs\":{}}")
    }
    return answer(
      request,
      project: project,
      orElse: AmplitudeHTTPV2.overloaded(retryAfterSeconds: Self.retrySeconds)
    ) { "{\"configs\":\($0.document)}" }
  }

  private func answer(
    _ request: Request,
    project: UInt32,
    orElse overloaded: WireAnswer,
    _ body: (RemoteSettings) -> String
  ) -> Response {
    do throws(CatalogError) {
      let settings = try settings(project)
      let tag = EntityTag(version: settings.version, of: settings.document)
      let isKnown = tag.isAmong(request.header("if-none-match"))
      var response = isKnown ? Self.unchanged : Self.found(body(settings))
      response.headers += [
        Header("ETag", tag.text), Header("Access-Control-Expose-Headers", "ETag"),
      ]
      return response
    } catch {
      return PreparedAnswers.response(overloaded)
    }
  }

  private static func found(_ json: String) -> Response {
    Response(
      headers: [Header("Content-Type", "application/json")] + sharedHeaders,
      body: Array(json.utf8)
    )
  }

  private static let unchanged = Response(status: 304, headers: sharedHeaders)

  private static let sharedHeaders = [
    Header("Cache-Control", "no-store"), Header("Access-Control-Allow-Origin", "*"),
  ]
}

/// The `ETag` of a version of something: its number, and a hash in case a restored catalogue gives
/// the number again.
struct EntityTag {
  let text: String

  init(version: Int64, of content: String) {
    // FNV-1a: it tells versions apart, and nobody gains by making two alike.
    let hash = content.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    text = "\"\(version)-\(String(hash, radix: 16))\""
  }

  /// Whether `If-None-Match` names it (RFC 9110, section 13.1.2); a proxy may have made it weak.
  func isAmong(_ field: String?) -> Bool {
    guard let field else { return false }
    return field.split(separator: ",").contains { listed in
      let tag = listed.drop { $0 == " " }.prefix { $0 != " " }
      return tag == "*" || tag == text || tag == "W/" + text
    }
  }
}
