// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PhaseApp",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Footfall", path: "../..")],
  targets: [
    .executableTarget(
      name: "greenhouse",
      dependencies: [.product(name: "FootfallPhase", package: "Footfall")],
      path: "Sources"
    )
  ]
)
