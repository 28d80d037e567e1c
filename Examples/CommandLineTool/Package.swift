// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CommandLineTool",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Footfall", path: "../..")],
  targets: [
    .executableTarget(
      name: "tally",
      dependencies: [.product(name: "Footfall", package: "Footfall")],
      path: "Sources"
    )
  ]
)
