// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Apple's tools gather the privacy manifest out of the package's bundle. A build for their systems has a
// Mac for its host; elsewhere the file is nobody's, and a bundle would only be one more thing to ship.
#if os(macOS)
let privacyManifest: (resources: [Resource], excluded: [String]) =
  ([.copy("PrivacyInfo.xcprivacy")], [])
#else
let privacyManifest: (resources: [Resource], excluded: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

/// A library target of the SDK.
func sdk(
  _ name: String,
  _ dependencies: [Target.Dependency] = [],
  hasPrivacyManifest: Bool = false
) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    exclude: hasPrivacyManifest ? privacyManifest.excluded : [],
    resources: hasPrivacyManifest ? privacyManifest.resources : [],
    swiftSettings: strict
  )
}

/// The tests of one target.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "Footfall",
  platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
  products: [
    .library(name: "Footfall", targets: ["Footfall"]),
    .library(name: "FootfallPhase", targets: ["FootfallPhase"]),
    .library(name: "FootfallSimpleDataLogs", targets: ["FootfallSimpleDataLogs"]),
    .library(name: "FootfallTesting", targets: ["FootfallTesting"]),
    .library(name: "FootfallAmplitude", targets: ["FootfallAmplitude"]),
    .library(name: "FootfallPinpoint", targets: ["FootfallPinpoint"]),
    .library(name: "FootfallKinesis", targets: ["FootfallKinesis"]),
    // The server imports this one: the crash-safe log is written and tortured once.
    .library(name: "FootfallJournal", targets: ["FootfallJournal", "FootfallSystem"]),
    .executable(name: "footfall-sample", targets: ["footfall-sample"]),
    .executable(name: "footfall-bench", targets: ["footfall-bench"]),
    .executable(name: "footfall-torture-client", targets: ["footfall-torture-client"]),
  ],
  targets: [
    sdk("FootfallSystem"),
    sdk("FootfallCore"),
    .target(name: "CCRC32C"),
    sdk("FootfallJournal", ["CCRC32C", "FootfallSystem"]),
    sdk("FootfallPlatform", ["FootfallCore", "FootfallSystem"]),
    sdk(
      "FootfallOutbox",
      ["FootfallCore", "FootfallJournal", "FootfallPlatform", "FootfallSystem"]
    ),
    sdk(
      "FootfallEngine",
      ["FootfallCore", "FootfallJournal", "FootfallOutbox", "FootfallPlatform", "FootfallSystem"]
    ),
    // Wires of other products, for the same engine.
    sdk(
      "FootfallAmplitude",
      [
        "Footfall", "FootfallCore", "FootfallEngine", "FootfallOutbox", "FootfallPlatform",
        "FootfallSystem",
      ],
      hasPrivacyManifest: true
    ),
    sdk(
      "FootfallSimpleDataLogs",
      [
        "Footfall", "FootfallCore", "FootfallEngine", "FootfallOutbox", "FootfallPlatform",
        "FootfallSystem",
      ],
      hasPrivacyManifest: true
    ),
    sdk(
      "FootfallPhase",
      [
        "Footfall", "FootfallCore", "FootfallEngine", "FootfallOutbox", "FootfallPlatform",
        "FootfallSystem",
      ],
      hasPrivacyManifest: true
    ),
    // What both of Amazon's faces have: tasks, credentials, signatures, the configuration file.
    sdk("FootfallAWS", ["FootfallCore", "FootfallPlatform", "FootfallSystem"]),
    sdk(
      "FootfallPinpoint",
      [
        "Footfall", "FootfallApple", "FootfallAWS", "FootfallCore", "FootfallEngine",
        "FootfallOutbox", "FootfallPlatform", "FootfallSystem",
      ],
      hasPrivacyManifest: true
    ),
    sdk(
      "FootfallKinesis",
      [
        "FootfallApple", "FootfallAWS", "FootfallCore", "FootfallJournal", "FootfallPlatform",
        "FootfallSystem",
      ]
    ),
    sdk("FootfallApple", ["FootfallCore", "FootfallPlatform", "FootfallSystem"]),
    sdk(
      "Footfall",
      [
        "FootfallApple", "FootfallCore", "FootfallEngine", "FootfallOutbox", "FootfallPlatform",
        "FootfallSystem",
      ],
      hasPrivacyManifest: true
    ),
    sdk("FootfallTesting", ["FootfallCore", "FootfallPlatform", "FootfallSystem"]),
    .executableTarget(
      name: "footfall-sample",
      dependencies: ["Footfall", "FootfallCore", "FootfallPlatform", "FootfallSystem"],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "footfall-bench",
      dependencies: [
        "Footfall", "FootfallAWS", "FootfallAmplitude", "FootfallCore", "FootfallEngine",
        "FootfallJournal", "FootfallKinesis", "FootfallOutbox", "FootfallPhase", "FootfallPinpoint",
        "FootfallPlatform", "FootfallSimpleDataLogs", "FootfallSystem", "FootfallTesting",
      ],
      swiftSettings: strict
    ),
    // Killed again and again by script/torture; not for shipping.
    .executableTarget(
      name: "footfall-torture-client",
      dependencies: ["Footfall"],
      swiftSettings: strict
    ),
    tests("FootfallSystemTests", ["FootfallSystem", "FootfallTesting"]),
    tests("FootfallCoreTests", ["FootfallCore"]),
    tests("FootfallJournalTests", ["FootfallJournal", "FootfallSystem", "FootfallTesting"]),
    tests("FootfallPlatformTests", ["FootfallPlatform", "FootfallSystem", "FootfallTesting"]),
    tests(
      "FootfallOutboxTests",
      [
        "FootfallCore", "FootfallJournal", "FootfallOutbox", "FootfallPlatform", "FootfallSystem",
        "FootfallTesting",
      ]
    ),
    tests(
      "FootfallEngineTests",
      [
        "FootfallCore", "FootfallEngine", "FootfallJournal", "FootfallOutbox", "FootfallPlatform",
        "FootfallSystem", "FootfallTesting",
      ]
    ),
    tests(
      "FootfallAmplitudeTests",
      [
        "Footfall", "FootfallAmplitude", "FootfallCore", "FootfallEngine", "FootfallOutbox",
        "FootfallPlatform", "FootfallSystem", "FootfallTesting",
      ]
    ),
    tests(
      "FootfallSimpleDataLogsTests",
      [
        "Footfall", "FootfallCore", "FootfallEngine", "FootfallOutbox", "FootfallPlatform",
        "FootfallSimpleDataLogs", "FootfallSystem", "FootfallTesting",
      ]
    ),
    tests(
      "FootfallPhaseTests",
      [
        "Footfall", "FootfallCore", "FootfallEngine", "FootfallOutbox", "FootfallPhase",
        "FootfallPlatform",
        "FootfallSystem", "FootfallTesting",
      ]
    ),
    tests(
      "FootfallAWSTests",
      ["FootfallAWS", "FootfallPlatform", "FootfallSystem", "FootfallTesting"]
    ),
    tests(
      "FootfallPinpointTests",
      [
        "Footfall", "FootfallAWS", "FootfallCore", "FootfallEngine", "FootfallOutbox",
        "FootfallPinpoint", "FootfallPlatform", "FootfallSystem", "FootfallTesting",
      ]
    ),
    tests(
      "FootfallKinesisTests",
      [
        "FootfallAWS", "FootfallCore", "FootfallJournal", "FootfallKinesis", "FootfallPlatform",
        "FootfallSystem", "FootfallTesting",
      ]
    ),
    tests(
      "FootfallTests",
      [
        "Footfall", "FootfallCore", "FootfallEngine", "FootfallPlatform", "FootfallSystem",
        "FootfallTesting",
      ]
    ),
    // Programs written as these products' documents show it.
    tests("SimpleDataLogsSampleTests", ["FootfallSimpleDataLogs", "FootfallTesting"]),
    tests("PhaseSampleTests", ["Footfall", "FootfallPhase", "FootfallTesting"]),
    tests(
      "SampleTests",
      [
        "Footfall", "FootfallAWS", "FootfallAmplitude", "FootfallKinesis", "FootfallPinpoint",
        "FootfallPlatform", "FootfallSystem", "FootfallTesting",
      ]
    ),
    tests(
      "SampleAppTests",
      ["footfall-sample", "Footfall", "FootfallCore", "FootfallPlatform", "FootfallTesting"]
    ),
  ]
)
