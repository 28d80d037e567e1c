#if os(Linux)
import FootfallTesting
import Testing

@testable import FootfallPlatform

/// Whatever a server does, a request ends in time, keeps little, and goes nowhere else.
@Suite(.tags(.network), .timeLimit(.minutes(5))) struct `Curl transport and a bad server` {
  let transport = CurlTransport(log: .silent)

  func answer(_ answer: LoopbackAnswer, timeoutSeconds: Double = 20) async throws -> UploadResponse
  {
    let server = try LoopbackServer(answer)
    defer { server.stop() }
    return await transport.send(
      UploadRequest(url: server.url(), body: [1], timeoutSeconds: timeoutSeconds)
    )
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "HTTP/1.1 200 OK\r\nX-Slow: ",
    "HTTP/1.1 200 ",
  ])
  func `an answer that comes byte by byte ends at the limit of the whole exchange`(
    beginning: String
  ) async throws {
    // 2,000 bytes at 5 ms each would take 10 s, without a silence that anyone could notice.
    let bytes = Array(beginning.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 2_000)
    let response = try await answer(.drip(bytes, everySeconds: 0.005), timeoutSeconds: 0.5)
    #expect(response.failure == .timedOut)
  }

  @Test(arguments: [
    "HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nhalf",
    "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf",
    "HTTP/1.1 202 Accepted\r\nContent-Length: 1",
    "HTTP/1.1 202",
  ])
  func `an answer that breaks off is a failure, whatever status it began with`(
    half: String
  ) async throws {
    let response = try await answer(.raw(Array(half.utf8)))
    // A header without its end may have been taken for a whole one with nothing in it.
    #expect(response.status == nil || half.hasSuffix("202") || half.hasSuffix(": 1"))
    if half.contains("half") { #expect(response.status == nil) }
  }

  @Test(arguments: [1, 100, 100_000])
  func `garbage is no answer`(count: Int) async throws {
    var random = SeededRandom(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 128...255, using: &random) }
    let response = try await answer(.raw(bytes))
    #expect(response.status == nil)
  }

  @Test(arguments: [
    "HTTP/1.1 99999999999999999999 Big\r\n\r\n", "HTTP/9.9 200 New\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
  ])
  func `a status line that is none is no answer`(line: String) async throws {
    let response = try await answer(.raw(Array(line.utf8)))
    #expect(response.status == nil)
  }

  @Test(arguments: ["Content-Length: 1073741824", "Connection: close"])
  func `of a body of a gigabyte only the beginning is read`(field: String) async throws {
    let chunk = [UInt8](repeating: 7, count: 64 << 10)
    let head = Array("HTTP/1.1 400 Bad Request\r\n\(field)\r\n\r\n".utf8)
    let server = try LoopbackServer(.flood(head, chunk, times: (1 << 30) / chunk.count))
    let response = await transport.send(UploadRequest(url: server.url(), body: [1]))
    #expect(response.status == 400)
    #expect(response.body?.count == TransportLimits.maxAnswerBytes)
    #expect(await server.waitForNoConnection())
    server.stop()
    // What is beyond the limit are the buffers of the two sockets.
    #expect(server.floodedBytes < 64 << 20)
  }

  @Test(arguments: [1, 100_000])
  func `a header without end is bounded`(lines: Int) async throws {
    let line = Array("X-Field: ".utf8) + [UInt8](repeating: UInt8(ascii: "v"), count: 1_000)
    let chunk = lines == 1 ? line : line + Array("\r\n".utf8)
    let head = Array("HTTP/1.1 200 OK\r\n".utf8)
    let server = try LoopbackServer(.flood(head, chunk, times: 200_000))
    let response = await transport.send(
      UploadRequest(url: server.url(), body: [1], timeoutSeconds: 2)
    )
    server.stop()
    #expect(response.status == nil)
  }

  @Test func `the transport works on after all of these`() async throws {
    _ = try await answer(.raw([0, 1, 2]))
    _ = try await answer(.hangUp)
    _ = try await answer(.drip([72, 84, 84, 80], everySeconds: 0.05), timeoutSeconds: 0.05)
    let response = try await answer(.status(202))
    #expect(response.status == 202)
  }
}
#endif
