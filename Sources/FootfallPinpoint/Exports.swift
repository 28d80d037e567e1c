// The types of the public API that live in the modules below; `import FootfallPinpoint` is all an app
// needs.
@_exported public import Footfall
@_exported public import FootfallAWS
