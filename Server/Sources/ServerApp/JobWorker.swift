import Catalog
import EventStore
import Foundation
import IngestLog
import Loader

/// Does what jobs ask for; one at a time, on a thread of its own.
struct JobWorker: Sendable {
  /// Seconds that a file which somebody asked for, or sent, is kept; a day.
  static let keepsFilesSeconds = 86_400.0
  /// Seconds that an erasure waits for the loader to meet what arrived while it was at it.
  private static let catchUpSeconds = 5.0

  let folder: DataFolder
  let data: OpenedData
  let loader: Loader

  private var store: any EventStore { data.opened.store }

  /// Does a job.
  ///
  /// - Returns: what it came to: numbers by name.
  /// - Throws: `JobControl.Stop` when it was asked to stop, else what kept it from its end.
  func run(_ job: Job, _ control: JobControl) throws -> [String: Int] {
    let work = try StoreWork(encoded: job.document)
    switch work {
    case .count(let conditions):
      return ["events": try data.erasing.count(conditions, of: try project(of: job))]
    case .erase(let conditions, let id):
      return try erase(conditions, id: id, job, control)
    case .export(let format, let conditions, let person):
      var request = ExportRequest(project: try project(of: job), format: format)
      request.conditions = conditions
      request.person = person
      return try export(request, job, control)
    case .importing(let file, let format, let isSent, let name):
      do {
        return try importFile(file, format, isSent: isSent, job, control)
      } catch  where isSent {
        throw SentFileFault(error, file: file, name: name)
      }
    case .backup(let path):
      return try backup(path, job, control)
    }
  }

  private func project(of job: Job) throws -> UInt32 {
    guard let project = job.project else { throw CatalogError.unknownProject(0) }
    return project
  }

  private func erase(
    _ conditions: EventConditions,
    id: Int64,
    _ job: Job,
    _ control: JobControl
  ) throws -> [String: Int] {
    let project = try project(of: job)
    let before = loader.status.erased
    let steps = Double(Erasing.Step.allCases.count + 1)
    var done = 0.0
    let removed = try data.erasing.erase(
      conditions,
      of: project,
      id: id,
      askedAtMs: job.askedAtMs,
      by: Actor(description: job.actor)
    ) { _ in
      done += 1
      control.progress.note(done / steps)
    }
    // What arrived while it was at it lies in the log, left out by the loader.
    if loader.status.problem == nil {
      _ = loader.waitUntilLoaded(upTo: data.log.durableEnd, timeoutSeconds: Self.catchUpSeconds)
    }
    if loader.status.erased != before { _ = try data.erasing.sweep() }
    return ["events": removed]
  }

  private func export(
    _ request: ExportRequest,
    _ job: Job,
    _ control: JobControl
  ) throws -> [String: Int] {
    try makeFolder(folder.exports)
    let path = ExportFile.path(
      ofJob: job.id,
      form: request.format.rawValue,
      in: folder.exports
    )
    // A file of that name is a whole one: what a stop leaves has another.
    let draft = path + ".part"
    do {
      let events = try store.export(
        request,
        to: draft,
        cancellation: control.cancellation,
        progress: control.progress
      )
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: draft)
      try Self.rename(draft, to: path)
      return ["events": events, "bytes": Int(DiskSpace.size(of: path))]
    } catch {
      if FileManager.default.fileExists(atPath: draft) {
        try FileManager.default.removeItem(atPath: draft)
      }
      throw error
    }
  }

  private func importFile(
    _ file: String,
    _ format: TransferFormat,
    isSent: Bool,
    _ job: Job,
    _ control: JobControl
  ) throws -> [String: Int] {
    try makeFolder(folder.exports)
    guard !isSent || FileManager.default.fileExists(atPath: file) else { throw GoneUpload() }
    let list = RefusedLines(RefusedLines.path(ofJob: job.id, in: folder.exports))
    var request = ImportRequest(file, format, project: try project(of: job))
    request.erased = try data.erasing.erased()
    request.latestMs = WallClock.milliseconds() + RefusedLines.futureMs
    request.mark = "\(data.log.id) \(job.id)"
    let result = try store.importEvents(
      request,
      cancellation: control.cancellation,
      refused: { try list.add($0.description) },
      progress: { result in
        try control.check()
        if let fraction = result.fraction { control.progress.note(fraction) }
      }
    )
    try list.close()
    // A whole file of this form is read into the store first, with rows of people who were erased.
    if result.erased > 0, format == .parquet { try store.leaveNothing() }
    if isSent { try FileManager.default.removeItem(atPath: file) }
    return [
      "stored": result.stored, "duplicates": result.duplicates, "erased": result.erased,
      "unreadable": result.unreadable,
    ]
  }

  private func backup(
    _ path: String,
    _ job: Job,
    _ control: JobControl
  ) throws -> [String: Int] {
    let manifest = try Backup.make(
      of: folder,
      at: path,
      from: data,
      mark: "\(data.log.id) \(job.id)"
    ) { step in
      try control.check()
      control.progress.note(step.fraction)
    }
    return [
      "files": manifest.files.count, "bytes": Int(manifest.files.reduce(0) { $0 + $1.bytes }),
    ]
  }

  // MARK: Between jobs

  /// Removes files that were kept for long enough.
  func removeOldFiles(nowMs: Int64) throws {
    try ProjectFiles(folder: folder, catalog: data.catalog)
      .remove(before: nowMs - Int64(Self.keepsFilesSeconds * 1_000))
  }

  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  private static func rename(_ old: String, to new: String) throws {
    guard Foundation.rename(old, new) == 0 else {
      throw StartError.folder(path: new, reason: String(cString: strerror(errno)))
    }
  }
}

/// What kept a file that was sent from being imported, told by the name that it has for whoever sent it: where
/// it lies here means nothing to them.
struct SentFileFault: Error, CustomStringConvertible {
  let description: String

  init(_ error: any Error, file: String, name: String?) {
    let told = "\(error)".replacing(file, with: name.map { "“\($0)”" } ?? "the file")
    description = told.prefix(1).uppercased() + told.dropFirst()
  }
}

/// A file that was sent, and is gone before it was imported.
private struct GoneUpload: Error, CustomStringConvertible {
  let description =
    "The file is not there any more: it went when events of the project were erased, or a day after it was sent. Send it again."
}
