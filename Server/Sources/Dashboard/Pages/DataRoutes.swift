import Catalog
import EventStore
import Foundation
import HTTPServing

/// The page of a project's data: exporting, erasing, and the jobs that do it.
extension DashboardSite {
  /// Jobs that the page shows.
  private static let shownJobs = 30

  func installData(in router: inout Router) {
    router.get(
      "/projects/:id/data",
      handler: signedIn(.exportEvents) { request, visitor in
        // Whoever comes from a profile finds its id filled in.
        func field(_ name: String) -> String { String((request.query(name) ?? "").prefix(1_024)) }
        let typed = ConditionsForm(
          form: field("form"),
          user: field("user"),
          device: field("device")
        )
        return try self.dataPage(request, visitor, typed: typed)
      }
    )
    router.get(
      "/projects/:id/data/:job/file",
      handler: signedIn(.exportEvents) { request, visitor in
        let job = try self.job(request)
        if let list = self.rejected(job) {
          return .now(
            .download(
              list,
              contentType: "text/plain; charset=utf-8",
              name: "footfall-\(job.id).rejected.txt"
            )
          )
        }
        guard job.kind == "export", job.state == .done, let folder = self.settings.exports,
          let file = ExportFile(of: job, in: folder)
        else { throw PageProblem.notFound }
        return .now(.download(file.path, contentType: file.type, name: file.name))
      }
    )
    router.post(
      "/projects/:id/data/export",
      handler: signedInForm(.exportEvents) { request, visitor in
        try self.ask(request, visitor, form: "export") { conditions in
          let format = TransferFormat(rawValue: request.form("format") ?? "") ?? .ndjson
          return .export(
            TransferFormat.written.contains(format) ? format : .ndjson,
            conditions,
            person: nil
          )
        }
      }
    )
    router.post(
      "/projects/:id/data/erase",
      handler: signedInForm(.changeEvents) { request, visitor in
        let name = try self.project(request).name
        return try self.ask(request, visitor, form: "erase") { conditions throws(CatalogError) in
          guard !conditions.isEmpty else {
            throw .invalid(
              field: "user",
              reason: "Say what to erase: a user, a device, a name, or days."
            )
          }
          guard request.form("action") == "erase" else { return .count(conditions) }
          guard request.form("confirmation")?.trimmingCharacters(in: .whitespaces) == name else {
            throw .invalid(
              field: "confirmation",
              reason: "Nothing was erased: type the project’s name, \(name), to erase."
            )
          }
          return .erasing(conditions)
        }
      }
    )
    installImport(in: &router)
    router.post(
      "/projects/:id/data/:job/cancel",
      handler: signedInForm(.exportEvents) { try self.cancelJob($0, $1) }
    )
  }

  private func cancelJob(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let job = try job(request)
    // What only owners may ask for only they may take back.
    guard visitor.user.role.may(job.permission) else {
      throw PageProblem.forbidden(visitor.user.role, needs: job.permission)
    }
    do throws(CatalogError) {
      try catalog.cancelJob(job.id, in: .all, by: visitor.actor)
      return .now(.redirect(to: dataAddress(request).text))
    } catch {
      switch error {
      case .jobIsOver, .erasureUnderWay:
        return try dataPage(request, visitor, problem: error.description, status: 409)
      default: throw error
      }
    }
  }

  /// Asks for what a form says.
  private func ask(
    _ request: Request,
    _ visitor: Visitor,
    form: String,
    _ work: (EventConditions) throws(CatalogError) -> StoreWork
  ) throws -> Reply {
    let project = try project(request)
    let typed = ConditionsForm(
      form: form,
      user: request.form("user") ?? "",
      device: request.form("device") ?? "",
      name: request.form("name") ?? "",
      from: request.form("from") ?? "",
      to: request.form("to") ?? ""
    )
    do {
      let work = try work(try typed.conditions(in: zone(of: project)))
      try add(work, project: project.id, visitor)
      return .now(.redirect(to: dataAddress(request).text))
    } catch let error as CatalogError {
      switch error {
      case .invalid(let field, let reason):
        return try dataPage(request, visitor, problem: reason, typed: typed, status: 422)
          .beside(field, reason, of: request)
      case .tooManyJobs:
        return try dataPage(
          request,
          visitor,
          problem: error.description,
          typed: typed,
          status: 409
        )
      default: throw error
      }
    }
  }

  /// Asks the server for work on a project's events.
  func add(_ work: StoreWork, project: UInt32, _ visitor: Visitor) throws {
    _ = try catalog.addJob(
      kind: work.kind,
      project: project,
      document: try work.encoded(),
      summary: work.summary,
      by: visitor.actor
    )
  }

  /// The job of the request's path, of its project.
  private func job(_ request: Request) throws -> Job {
    let project = try project(request).id
    guard let id = Int64(request.parameter("job")), let job = try catalog.job(id),
      job.project == project
    else { throw PageProblem.notFound }
    return job
  }

  /// The list of what an import left out; nil where there is none.
  private func rejected(_ job: Job) -> String? {
    guard job.kind == "import", let folder = settings.exports else { return nil }
    let path = RefusedLines.path(ofJob: job.id, in: folder)
    return RefusedLines.isThere(path) ? path : nil
  }

  func dataAddress(_ request: Request) -> Address {
    Address("projects", request.parameter("id"), "data")
  }

  func dataPage(
    _ request: Request,
    _ visitor: Visitor,
    problem: String? = nil,
    typed: ConditionsForm = ConditionsForm(),
    status: Int = 200
  ) throws -> Reply {
    let project = try project(request)
    let jobs = try catalog.jobs(.project(project.id), limit: Self.shownJobs)
    let files = jobs.filter { job in
      job.state == .done && job.kind == "export"
        && settings.exports.map { ExportFile(of: job, in: $0) != nil } ?? false
    }
    let page = DataPage(
      visitor: visitor,
      project: project,
      jobs: jobs,
      files: Set(files.map(\.id)),
      rejected: Dictionary(
        uniqueKeysWithValues: jobs.compactMap { job in
          rejected(job).map { (job.id, RefusedLines.first(DataPage.shownRejected, of: $0)) }
        }
      ),
      takesFiles: settings.uploads != nil,
      zone: zone(of: project),
      problem: problem,
      typed: typed
    )
    return .now(self.page(page, in: try frame(visitor, project, .data), status: status))
  }
}
