#if os(Linux) || os(macOS)
import Foundation
import Testing

@testable import FootfallCLI

@Suite(.timeLimit(.minutes(5))) struct `Standard files` {
  @Test func `the next file does not take the place of a closed one`() async {
    await #expect(processExitsWith: .success) {
      for descriptor: Int32 in 0...2 { close(descriptor) }
      StandardFiles.open()
      exit(open("/dev/null", O_RDONLY) > 2 ? 0 : 1)
    }
  }

  @Test func `a server goes on when nobody reads what it prints, another command ends`() async {
    await #expect(processExitsWith: .success) {
      close(STDOUT_FILENO)
      Terminal.unattended.out("listening")
    }
    await #expect(processExitsWith: .exitCode(1)) {
      close(STDOUT_FILENO)
      Terminal.standard.out("an event")
    }
  }

  @Test func `a terminal that goes away stops a server gracefully, however often it says so`() async
  {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_DFL)
      let stop = StopSignal()
      for number in [SIGHUP, SIGHUP, SIGTERM] {
        kill(getpid(), number)
        stop.wait()
      }
      exit(stop.numbers == [SIGTERM, SIGINT, SIGHUP] ? 0 : 1)
    }
    await #expect(processExitsWith: .success) {
      // As nohup starts it.
      signal(SIGHUP, SIG_IGN)
      exit(StopSignal().numbers == [SIGTERM, SIGINT] ? 0 : 1)
    }
  }

  @Test func `what a server and a backup make is for their owner alone`() async {
    await #expect(processExitsWith: .success) {
      umask(0o022)
      let folder = FileManager.default.temporaryDirectory.path + "/cli-modes-\(UUID().uuidString)"
      let terminal = Terminal(
        out: { if $0.hasPrefix("Footfall ") { kill(getpid(), SIGTERM) } },
        error: { print($0) }
      )
      let data = ["--data", folder + "/data"]
      guard Footfall.run(["serve", "--port", "0"] + data, terminal: terminal) == 0,
        Footfall.run(["backup", folder + "/copy"] + data, terminal: terminal) == 0
      else { exit(2) }
      let files = FileManager.default
      let names = try files.subpathsOfDirectory(atPath: folder)
      let missing = ["data/address", "data/format", "data/events.duckdb", "copy/manifest.json"]
        .filter { !names.contains($0) }
      let open = try names.filter { name in
        let attributes = try files.attributesOfItem(atPath: folder + "/" + name)
        return (attributes[.posixPermissions] as? Int ?? 0o777) & 0o077 != 0
      }
      print("missing: \(missing), open to others: \(open)")
      try files.removeItem(atPath: folder)
      exit(missing.isEmpty && open.isEmpty ? 0 : 1)
    }
  }

  @Test func `the commands that run on are the servers`() {
    #expect(Footfall.commands.filter(\.runsOn).map(\.name) == ["serve", "demo"])
  }
}
#endif
