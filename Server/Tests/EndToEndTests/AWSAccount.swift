import Catalog
import EventStore
import FootfallPinpoint
import Foundation
import ServerApp
import SigV4
import Testing

/// A server with a Pinpoint application, streams and a key, for the clients of AWS.
final class AWSAccount {
  let server: TestServer
  let appID: String
  private let key: CreatedKey

  init(streams: [(String, RecordStream.Kind)] = []) throws {
    server = try TestServer()
    let catalog = server.server.catalog
    appID = try catalog.addPinpointApp(project: server.project).id
    key = try catalog.createAWSKey(project: server.project)
    for (name, kind) in streams {
      try catalog.createStream(name, kind: kind, project: server.project)
    }
  }

  func stop() { server.stop() }

  private var keyID: String { key.key.value ?? "" }

  /// What points a client at this server, with a folder of its own below the server's.
  func configuration(
    _ service: AWSServiceType,
    device: String = "device"
  ) throws -> AWSServiceConfiguration {
    let made = AWSServiceConfiguration(
      region: .USEast1,
      endpoint: AWSEndpoint(region: .USEast1, service: service, url: try server.url),
      credentialsProvider: AWSStaticCredentialsProvider(
        accessKey: keyID,
        secretKey: key.plaintext
      )
    )
    let configuration = try #require(made)
    configuration.storageFolder = server.folder + "/" + device
    return configuration
  }

  /// A client of the application.
  func pinpoint() throws -> AWSPinpoint {
    let configuration = AWSPinpointConfiguration(appId: appID, launchOptions: nil)
    configuration.serviceConfiguration = try self.configuration(.Pinpoint)
    return AWSPinpoint(configuration: configuration)
  }

  /// What the server answers to a question below the application, as an object.
  func get(_ path: String) throws -> [String: Any] {
    let signer = RequestSigner(
      accessKeyID: keyID,
      secret: key.plaintext,
      service: "mobiletargeting"
    )
    let target = "/v1/apps/\(appID)\(path)"
    let fields = signer.signed(
      method: "GET",
      path: target,
      ["host": "127.0.0.1"],
      body: [],
      atMs: Int64(Date().timeIntervalSince1970 * 1_000)
    )
    let head = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    let request = "GET \(target) HTTP/1.1\r\nConnection: close\r\n\(head)\r\n"
    let port = try #require(try server.url.port)
    let answer = try LoopbackRequest.exchange(port: UInt16(port), bytes: Array(request.utf8))
    try #require(answer.status == 200, "\(answer)")
    let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
    return try #require(object as? [String: Any])
  }
}

extension AWSTask {
  /// Waits until it has ended, and says why it failed.
  @discardableResult
  func outcome() async -> (any Error)? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      continueWith { _ in
        continuation.resume()
        return nil
      }
    }
    return error
  }
}
