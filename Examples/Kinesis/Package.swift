// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Kinesis",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Footfall", path: "../..")],
  targets: [
    .executableTarget(
      name: "kinesis-example",
      dependencies: [.product(name: "FootfallKinesis", package: "Footfall")],
      path: "Sources"
    )
  ]
)
