// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SwiftUIApp",
  platforms: [.iOS(.v15), .macOS(.v12)],
  dependencies: [.package(name: "Footfall", path: "../..")],
  targets: [
    .executableTarget(
      name: "SongbookApp",
      dependencies: [.product(name: "Footfall", package: "Footfall")],
      path: "Sources"
    )
  ]
)
