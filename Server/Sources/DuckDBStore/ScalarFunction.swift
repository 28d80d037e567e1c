import CDuckDB
import EventStore

/// A function of ours that DuckDB calls for some rows at a time and that answers with texts.
struct ScalarFunction {
  /// What statements call it.
  let name: String
  /// DuckDB's numbers of the types of what it is given.
  let parameters: [Int32]
  /// Whether each row counts, also of what is the same in all or NULL, as for a function that keeps count.
  var seesEachRow = false

  /// Makes the function known to a database.
  ///
  /// - Throws: `.engine` when DuckDB refuses it.
  func register(
    on connection: Connection,
    _ run: @escaping ddb_scalar_run_fn
  ) throws(StoreError) {
    let library = connection.library
    CallbackLibrary.keep(library)
    var function: ddb_scalar? = library.createScalar()
    defer { library.destroyScalar(&function) }
    library.nameScalar(function, name)
    for parameter in parameters {
      var type = library.createType(parameter)
      library.addScalarParameter(function, type)
      library.destroyType(&type)
    }
    var text = library.createType(Int32(DDB_VARCHAR))
    library.setScalarReturn(function, text)
    library.destroyType(&text)
    if seesEachRow {
      library.setScalarVolatile(function)
      library.setScalarTakesNull(function)
    }
    library.setScalarFunction(function, run)
    guard library.registerScalar(connection.handle, function) == 0 else {
      throw .engine("the function \(name) was refused")
    }
  }
}
