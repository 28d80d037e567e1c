// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Pinpoint",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Footfall", path: "../..")],
  targets: [
    .executableTarget(
      name: "pinpoint-example",
      dependencies: [.product(name: "FootfallPinpoint", package: "Footfall")],
      path: "Sources"
    )
  ]
)
