internal import Catalog
internal import HTTPServing
internal import Wire

extension PinpointRoutes {
  /// `POST /v1/apps`: an application of the key's project.
  func createApp(_ request: Request, _ caller: AWSCaller) throws(AWSRefusal) -> Reply {
    try caller.require("CreateApp", on: "apps")
    guard let name = PinpointEvents.appName(request.body) else {
      throw .badRequest("The body must be an object with Name.")
    }
    let made = try catalogued { () throws(CatalogError) in
      try ingest.aws.directory.addApp(caller.key.project, name)
    }
    guard let made else { throw .badRequest("No application can be made here.") }
    return .now(answer(201, Self.json(made, caller)))
  }

  /// `GET /v1/apps`: the applications of the key's project.
  func getApps(_ request: Request, _ caller: AWSCaller) throws(AWSRefusal) -> Reply {
    try caller.require("GetApps", on: "apps")
    let apps = try catalogued { () throws(CatalogError) in
      try ingest.aws.directory.apps(caller.key.project)
    }
    return .now(
      answer(200, "{\"Item\":[\(apps.map { Self.json($0, caller) }.joined(separator: ","))]}")
    )
  }

  func getApp(_ call: Call) throws(AWSRefusal) -> Reply {
    .now(answer(200, Self.json(call.app, call.caller)))
  }

  /// `DELETE /v1/apps/{app}`: its events stay, and its endpoints wait for whoever adopts it again.
  func deleteApp(_ call: Call) throws(AWSRefusal) -> Reply {
    try catalogued { () throws(CatalogError) in try ingest.aws.directory.removeApp(call.app) }
    return .now(answer(200, Self.json(call.app, call.caller)))
  }

  private static func json(_ app: PinpointApp, _ caller: AWSCaller) -> String {
    JSONText.object([
      "Id": JSONText.quoted(app.id), "Name": JSONText.quoted(app.name),
      "Arn": JSONText.quoted(
        "arn:aws:mobiletargeting:\(caller.region):\(StreamName.account):apps/\(app.id)"
      ),
      "CreationDate": JSONText.quoted(UTCTime(app.createdAtMs).extended),
    ])
  }

  private func catalogued<R>(_ body: () throws(CatalogError) -> R) throws(AWSRefusal) -> R {
    do throws(CatalogError) { return try body() } catch {
      if case .invalid(_, let reason) = error { throw .badRequest(reason) }
      throw AWSRefusal(
        500,
        "InternalServerErrorException",
        "The application could not be read or stored; try again."
      )
    }
  }
}
