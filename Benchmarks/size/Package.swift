// swift-tools-version: 6.2
import PackageDescription

// Two programs that differ in Footfall alone: what the SDK adds to one that uses Foundation.
let package = Package(
  name: "size",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Footfall", path: "../..")],
  targets: [
    .executableTarget(name: "size-plain"),
    .executableTarget(
      name: "size-footfall",
      dependencies: [.product(name: "Footfall", package: "Footfall")]
    ),
  ]
)
