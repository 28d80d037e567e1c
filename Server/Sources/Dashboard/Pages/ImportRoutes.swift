import Catalog
import EventStore
import Foundation
import HTTPServing

/// Importing a file by the page of a project's data: it is sent in pieces, then asked for.
extension DashboardSite {
  func installImport(in router: inout Router) {
    var options = RouteOptions()
    options.maxBodyBytes = UploadFolder.maxPieceBytes
    router.post(
      "/projects/:id/data/upload",
      options: options,
      handler: signedInBytes(.importEvents) { try self.takePiece($0, $1) }
    )
    router.post(
      "/projects/:id/data/import",
      handler: signedInForm(.importEvents) { try self.askForImport($0, $1) }
    )
  }

  private func takePiece(_ request: Request, _ visitor: Visitor) throws -> Reply {
    guard let uploads = settings.uploads else { throw PageProblem.notFound }
    do {
      let sent = try uploads.add(
        request.body,
        at: request.query("offset").flatMap { Int($0) },
        of: request.query("upload"),
        project: try project(request).id
      )
      let answer = JSONText.object([
        .init(name: "upload", value: .string(sent.id)),
        .init(name: "bytes", value: .number("\(sent.bytes)")),
      ])
      return .now(.json(answer.encoded(indent: nil)))
    } catch let problem as UploadFolder.Problem {
      return .now(.text(problem.description + "\n", status: 409))
    }
  }

  /// What a file is called where it came from, without the folders it lay in; nil where that was not told.
  private static func fileName(_ text: String?) -> String? {
    let name = (text ?? "").split(whereSeparator: { "/\\".contains($0) }).last ?? ""
    let shown = String(name.filter { !$0.isNewline }.prefix(200))
      .trimmingCharacters(in: .whitespaces)
    return shown.isEmpty ? nil : shown
  }

  private func askForImport(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let format = TransferFormat(rawValue: request.form("format") ?? "") ?? .ndjson
    guard let id = request.form("upload"),
      let file = settings.uploads?.existing(id, of: project.id),
      TransferFormat.read.contains(format)
    else {
      return try dataPage(
        request,
        visitor,
        problem:
          "Nothing was imported: choose a file. (Sending it needs JavaScript; “footfall import” on the server does not.)",
        status: 422
      )
    }
    let work = StoreWork.importing(
      file: file,
      format,
      isSent: true,
      name: Self.fileName(request.form("file_name"))
    )
    do {
      try add(work, project: project.id, visitor)
    } catch CatalogError.tooManyJobs {
      return try dataPage(
        request,
        visitor,
        problem: CatalogError.tooManyJobs.description,
        status: 409
      )
    }
    return .now(.redirect(to: dataAddress(request).text))
  }
}
