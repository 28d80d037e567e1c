import Catalog
import EventStore
import Foundation
import HTTPServing

extension APISite {
  /// Calls on work that takes its time: the server does it by itself, one job after the other.
  var jobRoutes: [APIRoute] {
    [
      APIRoute(
        .post,
        "/projects/{project}/erasures",
        "erase",
        "Erases the events that meet every condition, and what is known by them; there is no way back.",
        needs: .changeEvents,
        parameters: [.project],
        body: .conditions([
          APIField(
            "dry_run",
            .boolean,
            "Whether to count only what would be erased.",
            isRequired: false
          )
        ]),
        status: 202,
        answer: .job,
        problems: [409]
      ) { call in
        let conditions = call.conditions
        guard !conditions.isEmpty else {
          throw APIProblem.invalid(nil, "Say what to erase: a user, a device, a name, or a time.")
        }
        return try self.ask(
          call.bodyFlag("dry_run") ? .count(conditions) : .erasing(conditions),
          call
        )
      },
      APIRoute(
        .post,
        "/projects/{project}/exports",
        "export",
        "Writes the events that meet every condition into a file, which is kept for a day.",
        needs: .exportEvents,
        parameters: [.project],
        body: .conditions([
          APIField("format", .choice(TransferFormat.written.map(\.rawValue))),
          APIField("person", .text(1...1_024), "A user or device.", isRequired: false),
        ]),
        status: 202,
        answer: .job,
        problems: [409]
      ) { call in
        let person = call.bodyText("person")
        return try self.ask(
          .export(call.format, call.conditions, person: person.isEmpty ? nil : person),
          call
        )
      },
      exportFileRoute, uploadRoute, rejectedRoute,
      APIRoute(
        .post,
        "/projects/{project}/imports",
        "import",
        "Adds the events of a file that was sent; what the project has already is left out.",
        needs: .importEvents,
        parameters: [.project],
        body: .object([
          APIField("upload", .sessionID, "As sending it answered."),
          APIField("format", .choice(TransferFormat.read.map(\.rawValue))),
        ]),
        status: 202,
        answer: .job,
        problems: [409]
      ) { try self.importUpload($0) },
    ] + projectJobRoutes + backupRoutes
  }

  private var exportFileRoute: APIRoute {
    var route = APIRoute(
      .get,
      "/projects/{project}/exports/{job}/file",
      "getExportFile",
      "The file of an export that is done.",
      needs: .exportEvents,
      parameters: [.project, .job],
      answer: .anyObject,
      problems: [409]
    ) { _ in .null }
    route.download = APIRoute.Download(types: ExportFile.types) { try self.exportFile($0) }
    return route
  }

  private var uploadRoute: APIRoute {
    var route = APIRoute(
      .post,
      "/projects/{project}/uploads",
      "upload",
      "Sends a piece of a file to import, at most \(UploadFolder.maxPieceBytes) bytes; it is kept for a day.",
      needs: .importEvents,
      parameters: [
        .project,
        .query("upload", .sessionID, "The file that goes on; a new one unless told."),
        .query("offset", .count, "Where the piece belongs: how many bytes were sent before."),
      ],
      answer: .object([APIField("upload", .sessionID), APIField("bytes", .count)]),
      problems: [404, 409]
    ) { try self.upload($0) }
    route.takesBytes = UploadFolder.maxPieceBytes
    return route
  }

  private var rejectedRoute: APIRoute {
    var route = APIRoute(
      .get,
      "/projects/{project}/imports/{job}/rejected",
      "getRejectedLines",
      "The lines of an import that are no events: a line each, with its number and why. 404 where there are none.",
      needs: .importEvents,
      parameters: [.project, .job],
      answer: .anyObject,
      problems: [409]
    ) { _ in .null }
    route.download = APIRoute.Download(types: ["text/plain; charset=utf-8"]) {
      try self.rejectedLines($0)
    }
    return route
  }

  private var projectJobRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/jobs",
        "listJobs",
        "What the server was asked to do with the project's events, the last first.",
        needs: .exportEvents,
        parameters: [.project, .jobsBefore, .limit],
        answer: .page("jobs", of: .job, max: 1_000)
      ) { try self.jobs($0, .project($0.project)) },
      APIRoute(
        .get,
        "/projects/{project}/jobs/{job}",
        "getJob",
        "How far a job is and what it came to.",
        needs: .exportEvents,
        parameters: [.project, .job],
        answer: .job
      ) { JSONValue(try self.job($0, .project($0.project))) },
      APIRoute(
        .delete,
        "/projects/{project}/jobs/{job}",
        "cancelJob",
        "Cancels a job that waits, or stops one under way; an erasure that began goes on to its end.",
        needs: .exportEvents,
        parameters: [.project, .job],
        status: 204,
        answer: nil,
        problems: [409]
      ) { call in
        let job = try self.job(call, .project(call.project))
        // What only owners may ask for only they may take back.
        if let role = call.holder?.role, !role.may(job.permission) {
          throw APIProblem.forbidden(role)
        }
        try self.catalog.cancelJob(job.id, in: .project(call.project), by: call.actor)
        return .null
      },
    ]
  }

  private var backupRoutes: [APIRoute] {
    [
      APIRoute(
        .post,
        "/backups",
        "backup",
        "Copies all data into a new folder of the server’s, while it runs.",
        needs: .operate,
        status: 202,
        answer: .job,
        problems: [409]
      ) { call in
        guard let files = self.files else { throw APIProblem.notFound }
        let name = "backup-\(self.nowMs())"
        return try self.ask(.backup(folder: files.backups + "/" + name), call, isOfProject: false)
      },
      APIRoute(
        .get,
        "/backups",
        "listBackups",
        "The copies of all data that were asked for, the last first.",
        needs: .operate,
        parameters: [.jobsBefore, .limit],
        answer: .page("jobs", of: .job, max: 1_000)
      ) { try self.jobs($0, .server) },
      APIRoute(
        .get,
        "/backups/{job}",
        "getBackup",
        "How far a copy is.",
        needs: .operate,
        parameters: [.job],
        answer: .job
      ) { JSONValue(try self.job($0, .server)) },
      APIRoute(
        .delete,
        "/backups/{job}",
        "cancelBackup",
        "Stops a copy that waits or is under way; one that is done stays.",
        needs: .operate,
        parameters: [.job],
        status: 204,
        answer: nil,
        problems: [409]
      ) { call in
        try self.catalog.cancelJob(call.integer("job") ?? 0, in: .server, by: call.actor)
        return .null
      },
    ]
  }
}

// MARK: - What they do

extension APISite {
  private func ask(
    _ work: StoreWork,
    _ call: APICall,
    isOfProject: Bool = true
  ) throws -> JSONValue {
    JSONValue(
      try catalog.addJob(
        kind: work.kind,
        project: isOfProject ? call.project : nil,
        document: try work.encoded(),
        summary: work.summary,
        by: call.actor
      )
    )
  }

  private func jobs(_ call: APICall, _ scope: JobScope) throws -> JSONValue {
    let jobs = try catalog.jobs(
      scope,
      before: call.integer("before"),
      limit: Int(call.integer("limit") ?? 100)
    )
    return ["jobs": .list(jobs.map { JSONValue($0) })]
  }

  private func job(_ call: APICall, _ scope: JobScope) throws -> Job {
    guard let job = try catalog.job(call.integer("job") ?? 0), scope.holds(job) else {
      throw APIProblem.notFound
    }
    return job
  }

  private func exportFile(_ call: APICall) throws -> Response {
    let job = try job(call, .project(call.project))
    guard let files, job.kind == "export" else { throw APIProblem.notFound }
    guard job.state == .done else {
      throw APIProblem.conflict(
        "Job \(job.id) is \(job.state.rawValue); there is a file once it is done."
      )
    }
    guard let file = ExportFile(of: job, in: files.exports) else {
      throw APIProblem.notFound
    }
    return .download(file.path, contentType: file.type, name: file.name)
  }

  private func rejectedLines(_ call: APICall) throws -> Response {
    let job = try job(call, .project(call.project))
    guard let files, job.kind == "import" else { throw APIProblem.notFound }
    guard job.state.isOver else {
      throw APIProblem.conflict(
        "Job \(job.id) is \(job.state.rawValue); the list is whole once it is over."
      )
    }
    let path = RefusedLines.path(ofJob: job.id, in: files.exports)
    guard RefusedLines.isThere(path) else { throw APIProblem.notFound }
    return .download(
      path,
      contentType: "text/plain; charset=utf-8",
      name: "footfall-\(job.id).rejected.txt"
    )
  }

  private func upload(_ call: APICall) throws -> JSONValue {
    guard let files else { throw APIProblem.notFound }
    guard !call.request.body.isEmpty else {
      throw APIProblem.invalid(nil, "The body has no bytes.")
    }
    do {
      let sent = try files.uploads.add(
        call.request.body,
        at: call.integer("offset").map { Int($0) },
        of: call.text("upload"),
        project: call.project
      )
      return ["upload": .text(sent.id), "bytes": .number(sent.bytes)]
    } catch let problem as UploadFolder.Problem {
      guard problem != .unknown else { throw APIProblem.notFound }
      throw APIProblem.conflict(problem.description)
    }
  }

  private func importUpload(_ call: APICall) throws -> JSONValue {
    guard let files else { throw APIProblem.notFound }
    guard let path = files.uploads.existing(call.bodyText("upload"), of: call.project) else {
      throw APIProblem.invalid("upload", "No file was sent by this id.")
    }
    let format = TransferFormat(rawValue: call.bodyText("format")) ?? .ndjson
    return try ask(.importing(file: path, format, isSent: true), call)
  }
}

extension APIRoute.Parameter {
  fileprivate static let job = path("job", .integer(1...Int64.max), "The job's number.")
  fileprivate static let jobsBefore = query(
    "before",
    .integer(1...Int64.max),
    "Only jobs with a smaller number."
  )
}

extension APISchema {
  /// A body with conditions on events beside other members.
  fileprivate static func conditions(_ others: [APIField]) -> APISchema {
    .object(
      others + [
        APIField("user", .text(1...1_024), "Only events of this user.", isRequired: false),
        APIField("device", .text(1...1_024), "Only events of this device.", isRequired: false),
        APIField("name", .text(1...256), "Only events of this name.", isRequired: false),
        APIField("from", .time, "From when on.", isRequired: false),
        APIField("to", .time, "Up to when, this moment excluded.", isRequired: false),
      ]
    )
  }

  fileprivate static let job = APISchema.object([
    APIField("id", .integer(1...Int64.max)),
    APIField("kind", .choice(StoreWork.kinds)),
    APIField("project", .nullable(.projectNumber), "Null: it is about all data."),
    APIField("summary", .text(0...5_000), "What it does; names nobody."),
    APIField("actor", .text(0...200)),
    APIField("state", .choice(Job.State.allCases.map(\.rawValue))),
    APIField("asked_at", .time), APIField("started_at", .nullable(.time)),
    APIField("ended_at", .nullable(.time)),
    APIField("progress", .nullable(.integer(0...1_000)), "In thousandths."),
    APIField("counts", .anyObject, "What it came to: numbers by name."),
    APIField("problem", .nullable(.text(0...5_000)), "Why it was given up."),
    APIField("stopping", .boolean, "Whether it was asked to stop and has not yet."),
  ])
}

extension APICall {
  /// The conditions in the body, whose shape was checked.
  fileprivate var conditions: EventConditions {
    func text(_ name: String) -> String? {
      let text = bodyText(name)
      return text.isEmpty ? nil : text
    }
    var conditions = EventConditions()
    conditions.user = text("user")
    conditions.device = text("device")
    conditions.name = text("name")
    conditions.fromMs = bodyInteger("from").map { Int64($0) }
    conditions.toMs = bodyInteger("to").map { Int64($0) }
    return conditions
  }

  fileprivate var format: TransferFormat { TransferFormat(rawValue: bodyText("format")) ?? .ndjson }
}

extension JSONValue {
  fileprivate init(_ job: Job) {
    self = [
      "id": .integer(job.id), "kind": .text(job.kind), "project": .optional(job.project),
      "summary": .text(job.summary), "actor": .text(job.actor),
      "state": .text(job.state.rawValue), "asked_at": .integer(job.askedAtMs),
      "started_at": .optional(job.startedAtMs), "ended_at": .optional(job.endedAtMs),
      "progress": .optional(job.progress),
      "counts": .object(
        job.counts.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) }
      ), "problem": .optional(job.problem.map { String($0.prefix(4_000)) }),
      "stopping": .boolean(job.isStopping),
    ]
  }
}
