// With EventStore/CSVRecords.swift EventStore/PropertyReader.swift EventStore/Members.swift EventStore/PropertyValue.swift
import EventRecord
import Wire

/// Takes any bytes as lines of a file to import: of JSON, and of comma-separated values.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  if let text = String(validating: bytes, as: UTF8.self) { checkObject(text) }
  var csv = CSVRecords(maxBytes: 512)
  for line in bytes.split(separator: 0x0a, omittingEmptySubsequences: false) {
    switch csv.receive(Array(line)) {
    case .record(let fields):
      precondition(!fields.isEmpty && !csv.isOpen)
      checkRepeats(fields)
    case .goesOn: precondition(csv.isOpen)
    case .refused: precondition(!csv.isOpen)
    }
  }
  return 0
}

/// What is read as an object is one to the checker of requests, too, and so is each member as written.
private func checkObject(_ text: String) {
  guard let members = PropertyValue.writtenMembers(of: text) else { return }
  precondition(isJSON(text))
  precondition(PropertyValue.members(of: text)?.count == members.count)
  for (_, member) in members {
    precondition(isJSON(member.json))
    precondition(isJSON(member.value.json))
  }
}

private func isJSON(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { JSONCheck.isValid(UnsafeRawBufferPointer($0)) }
}

/// A record that is written out comes back.
private func checkRepeats(_ fields: [String]) {
  let line = fields.map {
    "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
  .joined(separator: ",")
  var csv = CSVRecords(maxBytes: 1 << 20)
  var last = CSVRecords.Step.goesOn
  for piece in line.utf8.split(separator: 0x0a, omittingEmptySubsequences: false) {
    last = csv.receive(Array(piece))
  }
  precondition(last == .record(fields))
}
