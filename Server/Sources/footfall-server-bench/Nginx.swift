import Foundation

/// The reference: nginx, which answers every request with 202 and keeps nothing.
final class Nginx {
  let port: Int
  private let process = Process()
  private let folder: URL

  /// Starts it with two workers, no log, and connections that never end.
  init(folder: URL, port: Int) throws {
    self.folder = folder
    self.port = port
    let configuration = """
      daemon off;
      worker_processes 2;
      pid \(folder.path)/nginx.pid;
      error_log \(folder.path)/error.log;
      events { worker_connections 1024; }
      http {
        access_log off;
        keepalive_requests 1000000000;
        client_body_temp_path \(folder.path)/body;
        proxy_temp_path \(folder.path)/proxy;
        fastcgi_temp_path \(folder.path)/fastcgi;
        uwsgi_temp_path \(folder.path)/uwsgi;
        scgi_temp_path \(folder.path)/scgi;
        server { listen 127.0.0.1:\(port); location / { return 202; } }
      }
      """
    let file = folder.appendingPathComponent("nginx.conf")
    try Data(configuration.utf8).write(to: file)
    process.executableURL = URL(fileURLWithPath: try Program.path("nginx"))
    process.arguments = ["-c", file.path, "-p", folder.path, "-e", folder.path + "/error.log"]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { stop() }

  /// Ends it.
  func stop() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }

  /// CPU seconds of its workers so far.
  func cpuSeconds() throws -> Double {
    let parent = process.processIdentifier
    let children = try String(
      contentsOfFile: "/proc/\(parent)/task/\(parent)/children",
      encoding: .utf8
    )
    return try children.split(separator: " ").reduce(0) { sum, child in
      let stat = try String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      // Behind the name in parentheses; utime and stime are fields 14 and 15, in ticks of 10 ms.
      let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
      guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
        return sum
      }
      return sum + (user + system) / 100
    }
  }
}

/// Programs from outside.
enum Program {
  /// Where it is; script/bench installs it.
  static func path(_ name: String) throws -> String {
    for folder in ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"] {
      let path = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw BenchFailure(description: "\(name) is not installed; script/bootstrap --bench does that")
  }
}
