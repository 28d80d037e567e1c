// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Worker",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Footfall", path: "../..")],
  targets: [
    .executableTarget(
      name: "worker",
      dependencies: [.product(name: "Footfall", package: "Footfall")],
      path: "Sources"
    )
  ]
)
