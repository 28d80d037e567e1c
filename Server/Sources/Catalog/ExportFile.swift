import Foundation

/// The file that an export made, as it is named in the folder of exports.
public struct ExportFile: Sendable, Hashable {
  /// Where it lies.
  public let path: String
  /// Its media type.
  public let type: String
  /// What it is called when it is taken along.
  public let name: String

  private static let forms = [
    ("ndjson", "application/x-ndjson"), ("csv", "text/csv; charset=utf-8"),
    ("parquet", "application/vnd.apache.parquet"),
    ("spreadsheet", "text/csv; charset=utf-8"),
  ]

  /// The media types there are.
  public static var types: [String] { Array(Set(forms.map(\.1))).sorted() }

  /// Where the file of a job goes that writes events in a form.
  public static func path(ofJob id: Int64, form: String, in folder: String) -> String {
    "\(folder)/\(id).\(form)"
  }

  /// The file of a job; nil where there is none, or not any more.
  public init?(of job: Job, in folder: String) {
    for (form, type) in Self.forms {
      let path = Self.path(ofJob: job.id, form: form, in: folder)
      guard FileManager.default.fileExists(atPath: path) else { continue }
      self.path = path
      self.type = type
      let suffix = form == "spreadsheet" ? "spreadsheet.csv" : form
      name = "footfall-\(job.project ?? 0)-\(job.id).\(suffix)"
      return
    }
    return nil
  }
}
