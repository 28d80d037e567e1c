// The types of the public API that live in the modules below; `import FootfallKinesis` is all an app
// needs.
@_exported public import FootfallAWS
