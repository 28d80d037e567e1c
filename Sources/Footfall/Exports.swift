// The types of the public API that live in the modules below; `import Footfall` is all an app needs.
@_exported public import FootfallCore
@_exported public import enum FootfallPlatform.LogLevel
@_exported public import struct FootfallPlatform.LogLine
// The quick start has one import: its address is a URL, and a back-dated event has a Date.
@_exported public import struct Foundation.Date
@_exported public import struct Foundation.URL
