"""What has to be known of each document besides its text: modules, what its blocks leave out, and the
blocks that cannot compile, by their number.

A block is counted from 1, code of every language alike; the table says nothing of what is in it.
"""

# What an app that was written for a document imports in the place of the vendor's module.
MODULES = {
    "AmplitudeSwift": "FootfallAmplitude",
    "AmplitudeUnified": "FootfallAmplitude",
    "AmplitudeCore": "FootfallAmplitude",
    "AmplitudeSessionReplay": "FootfallAmplitude",
    "SimpleDataLogs": "FootfallSimpleDataLogs",
    "PhaseAnalytics": "FootfallPhase",
    "AWSPinpoint": "FootfallPinpoint",
    "AWSMobileClient": "FootfallPinpoint",
    "AWSKinesis": "FootfallKinesis",
    "AWSCore": "FootfallKinesis",
}

# A storage of an app's own, as the reference list of its protocol has it.
STORAGE = """
final class MyEventStorage: Storage {
  func write(key: StorageKey, value: Any?) throws {}
  func read<T>(key: StorageKey) -> T? { nil }
  func getEventsString(eventBlock: URL) -> String? { nil }
  func remove(eventBlock: URL) {}
  func splitBlock(eventBlock: URL, events: [BaseEvent]) {}
  func rollover() {}
  func reset() {}
  func getResponseHandler(
    configuration: Configuration, eventPipeline: EventPipeline, eventBlock: URL, eventsString: String
  ) -> any ResponseHandler { MyResponseHandler() }
}
final class MyResponseHandler: ResponseHandler {
  func handle(result: Result<Int, any Error>) -> Bool { true }
  func handleSuccessResponse(code: Int) -> Bool { true }
  func handleBadRequestResponse(data: [String: Any]) -> Bool { true }
  func handlePayloadTooLargeResponse(data: [String: Any]) -> Bool { true }
  func handleTooManyRequestsResponse(data: [String: Any]) -> Bool { true }
  func handleTimeoutResponse(data: [String: Any]) -> Bool { true }
  func handleFailedResponse(data: [String: Any]) -> Bool { true }
}
"""

AMPLITUDE = {
    "amplitude": 'let amplitude = Amplitude(configuration: Configuration(apiKey: "key"))',
    "url": 'let url = URL(string: "https://example.com/a")!',
    "receiptData": 'let receiptData = "receipt"',
    "receiptSignature": 'let receiptSignature = "signature"',
    "userActivity": 'nonisolated(unsafe) let userActivity = NSUserActivity(activityType: "a")',
    "canvasView": "@MainActor let canvasView = UIView()",
    "carouselView": "@MainActor let carouselView = UIView()",
    "MyEventStorage": STORAGE,
}

AWS = {
    "pinpoint": "nonisolated(unsafe) var pinpoint: AWSPinpoint?",
    "kinesisRecorder": 
        "nonisolated(unsafe) let kinesisRecorder: AWSKinesisRecorder! = AWSKinesisRecorder.default()",
    "firehoseRecorder": 
        "nonisolated(unsafe) let firehoseRecorder: AWSFirehoseRecorder! = AWSFirehoseRecorder.default()",
    "UIApplicationLaunchOptionsKey":
        "typealias UIApplicationLaunchOptionsKey = UIApplication.LaunchOptionsKey",
}

LOGS = {
    "userAllowsUsageStatistics": "let userAllowsUsageStatistics = true",
    "anonymousDeviceID": 'let anonymousDeviceID = "device"',
    "eventName": 'let eventName = "event"',
    "parameters": "let parameters: [String: Any] = [:]",
    "savedOnboardingSteps":
        "struct SavedStep { let name: String; let completedAt: Date; let id: UUID }\n"
        "let savedOnboardingSteps: [SavedStep] = []",
    "settings": "struct SavedSettings { let isUsageSharingOn = true }\nlet settings = SavedSettings()",
    "newValue": "let newValue = true",
}

PHASE = {
    "customGetUserConsent": "func customGetUserConsent() async -> Bool { true }",
    "ContentView": "struct ContentView: View { var body: some View { EmptyView() } }",
}


class Document:
    """One document: what its blocks import, what they leave out, and which are not to compile."""

    def __init__(self, imports, leaves_out, not_code=(), incomplete=None, later=None):
        self.imports = imports
        self.leaves_out = leaves_out
        self.incomplete = incomplete or {}
        self.later = later or {}
        self.not_code = not_code


REPLAY = "session replay is later work"

# By a part of the file's name.
DOCUMENTS = {
    "amplitude-ios": Document(["FootfallAmplitude"], AMPLITUDE),
    "amplitude-session-replay": Document(
        ["FootfallAmplitude"], AMPLITUDE, later={number: REPLAY for number in range(1, 40)}),
    "simpledatalogs": Document(
        ["FootfallSimpleDataLogs"], LOGS, incomplete={1: "a part of a package's manifest"}),
    "phase": Document(["FootfallPhase"], PHASE),
    "aws": Document(["FootfallPinpoint", "FootfallKinesis"], AWS),
}


def document(name):
    """What is known of a document; nothing for one that is none of these."""
    for part, known in DOCUMENTS.items():
        if part in name:
            return known
    return Document([], {})
