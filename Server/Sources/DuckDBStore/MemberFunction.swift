import CDuckDB
import EventStore
import FootfallSystem

/// `footfall_member(object, name)`: the value of a member of a JSON object, as its text stands there; NULL
/// without one.
///
/// The same as `json_extract` gives, several times as fast: nothing but the way to the member is read.
enum MemberFunction {
  /// Makes the function known to a database.
  ///
  /// - Throws: `.engine` when DuckDB refuses it.
  static func register(on connection: Connection) throws(StoreError) {
    let library = connection.library
    loaded.withLock { $0 = Functions(library) }
    var function: ddb_scalar? = library.createScalar()
    var text = library.createType(Int32(DDB_VARCHAR))
    defer {
      library.destroyScalar(&function)
      library.destroyType(&text)
    }
    library.nameScalar(function, "footfall_member")
    library.addScalarParameter(function, text)
    library.addScalarParameter(function, text)
    library.setScalarReturn(function, text)
    library.setScalarFunction(function) { _, chunk, result in
      MemberFunction.run(chunk, result)
    }
    guard library.registerScalar(connection.handle, function) == 0 else {
      throw .engine("the function footfall_member was refused")
    }
  }

  /// What the callback needs of the library: it is a plain function that carries nothing.
  private struct Functions: Sendable {
    let chunkSize: ddb_chunk_size_fn
    let chunkVector: ddb_chunk_vector_fn
    let vectorData: ddb_vector_data_fn
    let vectorValidity: ddb_vector_validity_fn
    let makeValidityWritable: ddb_vector_writable_validity_fn
    let assign: ddb_assign_text_fn

    init(_ library: DuckDBLibrary) {
      chunkSize = library.chunkSize
      chunkVector = library.chunkVector
      vectorData = library.vectorData
      vectorValidity = library.vectorValidity
      makeValidityWritable = library.vectorWritableValidity
      assign = library.assignText
    }
  }

  private static let loaded = Lock<Functions?>(nil)

  private static func run(_ chunk: ddb_chunk?, _ result: ddb_vector?) {
    guard let functions = loaded.withLock({ $0 }) else { return }
    let objects = Texts(functions.chunkVector(chunk, 0), functions)
    let names = Texts(functions.chunkVector(chunk, 1), functions)
    functions.makeValidityWritable(result)
    let validity = functions.vectorValidity(result)
    for row in 0..<Int(functions.chunkSize(chunk)) {
      if let object = objects.text(row), let name = names.text(row),
        let value = MemberScan.value(of: name, in: object), let start = object.baseAddress
      {
        let text = (start + value.lowerBound).assumingMemoryBound(to: CChar.self)
        functions.assign(result, UInt64(row), text, UInt64(value.count))
      } else {
        validity?[row / 64] &= ~(1 << UInt64(row % 64))
      }
    }
  }

  /// The texts of a column: each 16 bytes, of which the first four are its length; up to twelve bytes lie
  /// in place, more where the last eight point.
  private struct Texts {
    private let data: UnsafeMutableRawPointer?
    private let validity: UnsafeMutablePointer<UInt64>?

    init(_ vector: ddb_vector?, _ functions: Functions) {
      data = functions.vectorData(vector)
      validity = functions.vectorValidity(vector)
    }

    /// Nil for NULL.
    func text(_ row: Int) -> UnsafeRawBufferPointer? {
      if let validity, validity[row / 64] & (1 << UInt64(row % 64)) == 0 { return nil }
      guard let place = data.map({ $0 + 16 * row }) else { return nil }
      let count = Int(place.load(as: UInt32.self))
      if count <= 12 { return UnsafeRawBufferPointer(start: place + 4, count: count) }
      let start = place.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
      return UnsafeRawBufferPointer(start: start, count: count)
    }
  }
}
