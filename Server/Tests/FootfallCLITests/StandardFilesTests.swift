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

  @Test func `the commands that run on are the servers`() {
    #expect(Footfall.commands.filter(\.runsOn).map(\.name) == ["serve", "demo"])
  }
}
#endif
