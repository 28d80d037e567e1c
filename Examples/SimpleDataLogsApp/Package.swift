// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SimpleDataLogsApp",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Footfall", path: "../..")],
  targets: [
    .executableTarget(
      name: "bakery",
      dependencies: [.product(name: "FootfallSimpleDataLogs", package: "Footfall")],
      path: "Sources"
    )
  ]
)
