import Catalog
import EventStore
import FootfallSystem
import Foundation
import HTTPServing
import IngestLog

/// `GET /api/2/export`, as programs ask Amplitude for a project's events.
///
/// The user of the basic authorization is a key that the project's apps send with, its password one of the
/// project's secret keys. Hours are those in which events were received, both named ones included.
final class AmplitudeExportRoute: Sendable {
  /// Hours that are handed out at once; a year.
  static let maxHours: Int64 = 366 * 24

  private let catalog: Catalog
  private let store: any EventStore
  private let folder: String
  private let faults: FaultLog
  private let nowMs: @Sendable () -> Int64
  private let failures = Lock(AttemptLimiter(perAddress: 60, inTotal: 600))
  private let isBusy = Lock(false)

  /// - Parameters:
  ///   - catalog: knows the keys.
  ///   - store: has the events.
  ///   - folder: where archives lie until they are sent.
  ///   - faults: is told in full what programs are told without the places of files.
  ///   - nowMs: the wall clock in milliseconds since 1970.
  init(
    catalog: Catalog,
    store: any EventStore,
    folder: String,
    faults: FaultLog = FaultLog(),
    nowMs: @escaping @Sendable () -> Int64 = WallClock.milliseconds
  ) {
    self.catalog = catalog
    self.store = store
    self.folder = folder
    self.faults = faults
    self.nowMs = nowMs
  }

  func install(in router: inout Router) {
    var options = RouteOptions()
    options.maxBodyBytes = 0
    router.get("/api/2/export", options: options) { .now(self.answer($0)) }
  }

  private func answer(_ request: Request) -> Response {
    do {
      let project = try project(of: request)
      guard let hours = Self.hours(request.query("start"), request.query("end")) else {
        return .text(
          "start and end are hours as in 20261201T09, UTC, at most a year apart.\n",
          status: 400
        )
      }
      // One at a time: it takes a while, and a disk.
      guard !isBusy.withLock({ Self.exchange(&$0) }) else {
        var response = Response.text("Another export is under way.\n", status: 429)
        response.setHeader("Retry-After", "30")
        return response
      }
      defer { isBusy.withLock { $0 = false } }
      return try archive(project, hours)
    } catch let refusal as Refused {
      return refusal.response
    } catch {
      return .text(faults.note(error) + "\n", status: 503)
    }
  }

  private static func exchange(_ isBusy: inout Bool) -> Bool {
    defer { isBusy = true }
    return isBusy
  }

  private func archive(_ project: UInt32, _ hours: Range<Int64>) throws -> Response {
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let path = "\(folder)/amplitude-\(UInt64.random(in: 0 ... .max)).zip"
    do {
      try AmplitudeArchive(store: store, project: project).write(
        fromMs: hours.lowerBound * 3_600_000,
        toMs: hours.upperBound * 3_600_000,
        to: path
      )
    } catch AmplitudeArchive.Problem.empty {
      return .text("No event was received in these hours.\n", status: 404)
    } catch AmplitudeArchive.Problem.tooLarge {
      return .text("The archive would be larger than 4 GB; ask for fewer hours.\n", status: 400)
    }
    var response = Response.download(path, contentType: "application/zip", name: "export.zip")
    response.removesFile = true
    return response
  }

  // MARK: Who asks

  private struct Refused: Error {
    let response: Response
  }

  private func project(of request: Request) throws -> UInt32 {
    let address = request.remoteAddress
    if let seconds = failures.withLock({ $0.wait(address, nowMs: nowMs()) }) {
      var response = Response.text("Too many wrong keys came from this address.\n", status: 429)
      response.setHeader("Retry-After", String(seconds))
      throw Refused(response: response)
    }
    guard let (key, secret) = Self.credentials(request.header("authorization")) else {
      throw Refused(response: Self.unauthorized)
    }
    var bytes = key
    let resolution = bytes.withUTF8 { catalog.resolve(ingestKey: UnsafeRawBufferPointer($0)) }
    if case .project(let project, _) = resolution,
      let holder = try catalog.holder(ofSecretKey: secret), holder.project == project
    {
      guard holder.role.may(.exportEvents) else {
        throw Refused(
          response: .text(
            "A key with the role \(holder.role.rawValue) may not export events.\n",
            status: 403
          )
        )
      }
      return project
    }
    failures.withLock { _ = $0.attempt(from: address, nowMs: nowMs()) }
    throw Refused(response: Self.unauthorized)
  }

  private static var unauthorized: Response {
    var response = Response.text(
      "Send an API key of the project as user, and a secret key of it as password.\n",
      status: 401
    )
    response.setHeader("WWW-Authenticate", "Basic realm=\"Footfall\"")
    return response
  }

  /// User and password of a basic authorization.
  static func credentials(_ header: String?) -> (key: String, secret: String)? {
    let fields = (header ?? "").split(separator: " ", maxSplits: 1)
    guard fields.count == 2, fields[0].lowercased() == "basic",
      let data = Data(base64Encoded: fields[1].trimmingCharacters(in: .whitespaces)),
      let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  /// Hours since 1970 from a first to a last one, that one included, each as in `20261201T09`.
  static func hours(_ first: String?, _ last: String?) -> Range<Int64>? {
    guard let from = first.flatMap(hour), let to = last.flatMap(hour), from <= to,
      to - from < maxHours
    else { return nil }
    return from..<to + 1
  }

  private static func hour(_ text: String) -> Int64? {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 8, (1...2).contains(parts[1].utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "T") }),
      let day = Int(parts[0]), let hour = Int64(parts[1]), hour < 24
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = DateComponents(year: day / 10_000, month: day / 100 % 100, day: day % 100)
    guard date.isValidDate(in: calendar), let moment = calendar.date(from: date) else { return nil }
    return Int64(moment.timeIntervalSince1970) / 3_600 + hour
  }
}
