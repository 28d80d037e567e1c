import Footfall
import Foundation

let address = URL(string: CommandLine.arguments.last ?? "")
let text = try? JSONEncoder().encode(["time": "\(Date())", "address": address?.absoluteString])
FileManager.default.createFile(atPath: NSTemporaryDirectory() + "footfall-size", contents: text)
if let address {
  let footfall = FootfallClient(key: "ff_pub_size", endpoint: address)
  footfall.track("Measured", ["text": "a"])
  footfall.identify(.set("plan", "pro"))
  footfall.shutdown()
}
