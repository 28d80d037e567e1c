import Foundation

let address = URL(string: CommandLine.arguments.last ?? "")
let text = try? JSONEncoder().encode(["time": "\(Date())", "address": address?.absoluteString])
FileManager.default.createFile(atPath: NSTemporaryDirectory() + "footfall-size", contents: text)
