// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The crash-safe log, the one product of the SDK's package that the server is built on.
let journal: Target.Dependency = .product(name: "FootfallJournal", package: "Footfall")
/// Fakes for files and clocks; tests only.
let testing: Target.Dependency = .product(name: "FootfallTesting", package: "Footfall")
/// The SDK itself; end-to-end tests only.
let client: Target.Dependency = .product(name: "Footfall", package: "Footfall")
/// The SDK by other products' names; end-to-end tests only.
let amplitude: Target.Dependency = .product(name: "FootfallAmplitude", package: "Footfall")
let phase: Target.Dependency = .product(name: "FootfallPhase", package: "Footfall")
let simpleDataLogs: Target.Dependency = .product(
  name: "FootfallSimpleDataLogs",
  package: "Footfall"
)
let kinesis: Target.Dependency = .product(name: "FootfallKinesis", package: "Footfall")
let pinpoint: Target.Dependency = .product(name: "FootfallPinpoint", package: "Footfall")

/// A library target of the server.
func server(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of one target.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A C library of the system, found by its header; Debian's and Homebrew's package names are for the error.
func system(_ name: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, providers: [.apt([apt]), .brew([brew])])
}

let package = Package(
  name: "FootfallServer",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "footfall", targets: ["FootfallCLI"]),
    .executable(name: "footfall-server-bench", targets: ["footfall-server-bench"]),
  ],
  dependencies: [
    // Named, because with a bare path the identity would be the name of the checkout's folder.
    .package(name: "Footfall", path: "..")
  ],
  targets: [
    system("CMicroHTTPD", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    system("CDeflate", apt: "libdeflate-dev", brew: "libdeflate"),
    system("CSQLite", apt: "libsqlite3-dev", brew: "sqlite"),
    system("CCrypto", apt: "libssl-dev", brew: "openssl@3"),
    system("CSodium", apt: "libsodium-dev", brew: "libsodium"),
    system("CMaxMindDB", apt: "libmaxminddb-dev", brew: "libmaxminddb"),
    system("CArchive", apt: "libarchive-dev", brew: "libarchive"),
    .target(name: "CDuckDB"),
    .target(name: "CCurl"),

    server("EventRecord"),
    server("Archives", ["CArchive"]),
    server("Places", ["CMaxMindDB", journal]),
    server("HTTPServing", ["CMicroHTTPD", journal]),
    server("Wire", ["EventRecord"]),
    server("SigV4", ["CCrypto", "Wire"]),
    server("IngestLog", ["EventRecord", journal]),
    server("Catalog", ["CCrypto", "CSQLite", "CSodium", journal]),
    server("Webhooks", ["CCrypto", "CCurl", "Catalog"]),
    server("EndpointStore", ["Catalog", "Wire", journal]),
    server(
      "Ingest",
      [
        "CDeflate", "Catalog", "EndpointStore", "EventRecord", "HTTPServing", "IngestLog", "SigV4",
        "Wire", journal,
      ]
    ),
    server("EventStore", ["EventRecord", journal]),
    server("DuckDBStore", ["Archives", "CDuckDB", "EventRecord", "EventStore", journal]),
    server("Loader", ["EventRecord", "EventStore", "IngestLog", journal]),
    server("Insights", ["EventRecord", "EventStore"]),
    // What a project's questions are asked with, for all who ask them.
    server("ProjectQuestions", ["Catalog", "Insights"]),
    server(
      "Dashboard",
      [
        "Catalog", "CCrypto", "EventRecord", "EventStore", "HTTPServing", "Insights",
        "ProjectQuestions", journal,
      ]
    ),
    server(
      "AdminAPI",
      [
        "Catalog", "EventRecord", "EventStore", "HTTPServing", "Insights", "ProjectQuestions",
        journal,
      ]
    ),
    server(
      "ServerApp",
      [
        "AdminAPI", "Archives", "Catalog", "Dashboard", "DuckDBStore", "EndpointStore",
        "EventRecord",
        "EventStore", "HTTPServing", "Ingest", "IngestLog", "Insights", "Loader", "Places",
        "ProjectQuestions", "Webhooks", "Wire", journal,
      ]
    ),
    .executableTarget(
      name: "FootfallCLI",
      dependencies: [
        "Catalog", "EventRecord", "EventStore", "HTTPServing", "Ingest", "IngestLog", "Insights",
        "ProjectQuestions", "ServerApp", "Webhooks", journal,
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "footfall-server-bench",
      dependencies: [
        "Catalog", "DuckDBStore", "EndpointStore", "EventRecord", "EventStore", "HTTPServing",
        "Ingest", "IngestLog", "Insights", "Loader", "ServerApp", "SigV4", "Wire", journal,
      ],
      swiftSettings: strict
    ),

    tests("EventRecordTests", ["EventRecord"]),
    tests(
      "ArchivesTests",
      ["Archives", "CArchive", "DuckDBStore", "EventStore", "Insights"]
    ),
    .target(name: "PlacesTesting", path: "Tests/PlacesTesting", swiftSettings: strict),
    tests("PlacesTests", ["Places", "PlacesTesting"]),
    tests("HTTPServingTests", ["HTTPServing", journal]),
    tests("WireTests", ["EventRecord", "Wire"]),
    tests("SigV4Tests", ["SigV4", "Wire"]),
    tests("IngestLogTests", ["EventRecord", "IngestLog", journal, testing]),
    tests("CatalogTests", ["Catalog", journal]),
    tests("WebhooksTests", ["Catalog", "HTTPServing", "Webhooks", journal]),
    tests("EndpointStoreTests", ["EndpointStore", "Wire"]),
    tests(
      "IngestTests",
      [
        "Catalog", "CDeflate", "EndpointStore", "EventRecord", "EventStore", "HTTPServing",
        "Ingest",
        "IngestLog", "Insights", "SigV4", "Wire", journal, testing,
      ]
    ),
    tests("EventStoreTests", ["EventRecord", "EventStore", journal]),
    tests("DuckDBStoreTests", ["DuckDBStore", "EventRecord", "EventStore", journal]),
    tests(
      "LoaderTests",
      ["DuckDBStore", "EventRecord", "EventStore", "IngestLog", "Loader", journal, testing]
    ),
    tests("InsightsTests", ["DuckDBStore", "EventRecord", "EventStore", "Insights", journal]),
    tests(
      "DashboardTests",
      [
        "Catalog", "Dashboard", "EventRecord", "EventStore", "HTTPServing", "Ingest", "IngestLog",
        "Insights", journal, testing,
      ]
    ),
    tests(
      "AdminAPITests",
      [
        "AdminAPI", "Catalog", "EventRecord", "EventStore", "HTTPServing", "Insights",
        "ProjectQuestions", journal,
      ]
    ),
    tests(
      "ServerAppTests",
      [
        "Catalog", "EndpointStore", "EventRecord", "EventStore", "HTTPServing", "Ingest",
        "IngestLog", "Loader", "Places", "PlacesTesting", "ServerApp", "Webhooks", "Wire", journal,
      ]
    ),
    tests(
      "FootfallCLITests",
      [
        "Catalog", "EventRecord", "EventStore", "FootfallCLI", "HTTPServing", "Ingest",
        "IngestLog", "ServerApp", journal,
      ]
    ),
    tests(
      "EndToEndTests",
      [
        "CDeflate", "Catalog", "EventRecord", "EventStore", "HTTPServing", "Insights",
        "PlacesTesting", "ServerApp", "SigV4", amplitude, client, kinesis, phase,
        pinpoint, simpleDataLogs, journal, testing,
      ]
    ),
  ]
)
