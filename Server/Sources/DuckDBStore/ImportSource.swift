import Archives
import EventStore

/// A line of a file: an event, or none and why.
enum ImportedLine {
  case event(ImportedEvent)
  case refused(ImportRefusal)
}

/// What an import reads of a file: one event, or one line that is none, after the other.
///
/// One thread at a time.
protocol ImportSource: AnyObject {
  /// The next event; nil after the last.
  ///
  /// - Throws: `ImportProblem` or `ArchiveProblem` when the rest cannot be read.
  func next() throws -> ImportedLine?
  /// The part that was read, from 0 to 1; nil where that is not known.
  var fraction: Double? { get }
  /// Where the last event stands in the file, with why it is none after all.
  func refusal(_ reason: String) -> ImportRefusal
}

/// Lines of JSON, of Amplitude's exports, or of comma-separated values.
final class LineSource: ImportSource {
  /// The longest line that is read; 4 MiB, which is more than any protocol's event.
  static let maxLineBytes = 4 << 20
  /// So many lines that have not even the file's form, and none that has, and it is another file.
  private static let maxShapeless = 1_000

  private let request: ImportRequest
  private let file: LineFile
  /// The archive's files, each with the offset of its first line.
  private let parts: [ArchiveLines.Part]
  private var part = 0
  private var line = 0
  /// Where the record begins that the last line ends.
  private var recordLine = 0
  private var columns: [String]?
  private var csv = CSVRecords(maxBytes: LineSource.maxLineBytes)
  private var shapeless: ImportRefusal?
  private var shapelessCount = 0
  private var hasShape = false

  /// Begins with the first line.
  ///
  /// - Throws: `ArchiveProblem`, `ImportProblem`.
  init(_ request: ImportRequest, _ lines: ArchiveLines) throws {
    self.request = request
    parts = lines.parts
    file = try LineFile(lines.path, maxLineBytes: Self.maxLineBytes)
    if request.format == .csv { columns = try header() }
  }

  var fraction: Double? { file.fraction }

  func next() throws -> ImportedLine? {
    while let step = try nextLine() {
      switch step {
      case .nothing: continue
      case .event(let event):
        hasShape = true
        return .event(event)
      case .problem(let problem):
        let refusal = refusal(problem.reason)
        hasShape = hasShape || !problem.isShapeless
        if !hasShape {
          shapeless = shapeless ?? refusal
          shapelessCount += 1
          if shapelessCount == Self.maxShapeless { throw noneOfItsForm }
        }
        return .refused(refusal)
      }
    }
    guard shapeless == nil || hasShape else { throw noneOfItsForm }
    return nil
  }

  private enum Step {
    case event(ImportedEvent)
    case problem(LineProblem)
    /// The line says nothing, or not yet.
    case nothing
  }

  private func nextLine() throws -> Step? {
    let isWithin = csv.isOpen
    guard let read = try read() else {
      guard isWithin else { return nil }
      csv.restart()
      return .problem(LineProblem("a text in quotes does not end before the file does"))
    }
    if !isWithin { recordLine = line }
    guard case .bytes(let bytes) = read else {
      csv.restart()
      return .problem(
        LineProblem("it is longer than \(Self.maxLineBytes) bytes", isShapeless: true)
      )
    }
    do throws(LineProblem) {
      return try event(of: bytes).map { Step.event($0) } ?? .nothing
    } catch {
      return .problem(error)
    }
  }

  private func event(of bytes: [UInt8]) throws(LineProblem) -> ImportedEvent? {
    if let columns {
      switch csv.receive(bytes) {
      case .goesOn: return nil
      case .refused(let reason): throw LineProblem(reason)
      case .record(let texts):
        if texts == [""] { return nil }
        guard texts.count == columns.count else {
          throw LineProblem("it has \(texts.count) values for \(columns.count) columns")
        }
        let fields = ImportedFields(names: columns, texts: texts, latestMs: request.latestMs)
        return try ImportedEvent(fields, project: request.project)
      }
    }
    guard !bytes.allSatisfy({ [0x20, 0x09, 0x0d].contains($0) }) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw LineProblem("it is not UTF-8", isShapeless: true)
    }
    if request.format == .amplitude {
      return try AmplitudeExportLine.read(
        text,
        project: request.project,
        latestMs: request.latestMs
      )
    }
    let fields = try ImportedFields(line: text, latestMs: request.latestMs)
    return try ImportedEvent(fields, project: request.project)
  }

  /// The next line as it is, counted; the first one is looked at for what the file is.
  private func read() throws -> LineFile.Line? {
    while part + 1 < parts.count, file.offset >= parts[part + 1].offset {
      part += 1
      line = 0
    }
    let isFirst = file.offset == 0
    guard let read = try file.next() else { return nil }
    line += 1
    guard isFirst, case .bytes(let bytes) = read else { return read }
    if let problem = ImportForm.problem(firstLine: bytes, path: request.path) { throw problem }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return bytes.starts(with: mark) ? .bytes(Array(bytes.dropFirst(mark.count))) : read
  }

  /// The columns that the first record names.
  private func header() throws -> [String] {
    var names: [String] = []
    while names.isEmpty {
      guard case .bytes(let bytes)? = try read() else {
        throw ImportProblem("\(request.path) has no line that names its columns.")
      }
      switch csv.receive(bytes) {
      case .goesOn: continue
      case .refused(let reason):
        throw ImportProblem("\(request.path) is no CSV file: of its first line, \(reason).")
      case .record(let texts): names = texts
      }
    }
    for needed in ["name", "ts"] where !names.contains(needed) {
      throw ImportProblem(
        "\(request.path) has no column “\(needed)”. Its first line must name the columns: at least name and ts (in milliseconds since 1970)."
      )
    }
    guard Set(names).count == names.count else {
      throw ImportProblem("\(request.path) names a column twice in its first line.")
    }
    return names
  }

  func refusal(_ reason: String) -> ImportRefusal {
    ImportRefusal(
      file: parts.indices.contains(part) ? parts[part].name : nil,
      line: recordLine,
      reason: reason
    )
  }

  private var noneOfItsForm: ImportProblem {
    let first = shapeless.map { " (\($0))" } ?? ""
    return ImportProblem(
      "\(request.path) holds no lines of JSON\(first). Nothing was added: import it again and say which format it has."
    )
  }
}

/// What a file is, by how it begins.
enum ImportForm {
  /// Why a file is none of lines; nil when nothing speaks against it.
  static func problem(firstLine: [UInt8], path: String) -> ImportProblem? {
    if firstLine.starts(with: Array("PAR1".utf8)) {
      return ImportProblem("\(path) is a Parquet file; import it as parquet.")
    }
    if firstLine.starts(with: [0xff, 0xfe]) || firstLine.starts(with: [0xfe, 0xff]) {
      return ImportProblem("\(path) is UTF-16; save it as UTF-8 and import that.")
    }
    if firstLine.starts(with: Array("[".utf8)) {
      return ImportProblem(
        "\(path) is one JSON array; an import reads an object on each line. “jq -c '.[]' FILE” makes such lines."
      )
    }
    return nil
  }
}
