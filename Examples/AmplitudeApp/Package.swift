// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "AmplitudeApp",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Footfall", path: "../..")],
  targets: [
    .executableTarget(
      name: "radio",
      dependencies: [.product(name: "FootfallAmplitude", package: "Footfall")],
      path: "Sources"
    )
  ]
)
