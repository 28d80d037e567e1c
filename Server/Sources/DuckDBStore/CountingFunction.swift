import CDuckDB
import EventStore

/// `footfall_counted(budget, text)`: the text; an error once those of a budget have more bytes than it has.
///
/// It counts where DuckDB makes the texts of an answer, a few thousand at a time, and stops the statement there:
/// what an answer may not have is never all in memory.
enum CountingFunction {
  /// Makes the function known to a database.
  ///
  /// - Throws: `.engine` when DuckDB refuses it.
  static func register(on connection: Connection) throws(StoreError) {
    let function = ScalarFunction(
      name: "footfall_counted",
      parameters: [Int32(DDB_BIGINT), Int32(DDB_VARCHAR)],
      seesEachRow: true
    )
    try function.register(on: connection) { CountingFunction.run($0, $1, $2) }
  }

  private static func run(_ info: ddb_function_info?, _ chunk: ddb_chunk?, _ result: ddb_vector?) {
    guard let library = CallbackLibrary.current else { return }
    let count = Int(library.chunkSize(chunk))
    guard count > 0, let numbers = library.vectorData(library.chunkVector(chunk, 0)) else { return }
    let texts = TextColumn(library.chunkVector(chunk, 1), library)
    let bytes = (0..<count).reduce(count * AnswerBudget.bytesPerValue) {
      $0 + (texts.text($1)?.count ?? 0)
    }
    guard AnswerBudget.take(bytes, from: numbers.load(as: Int64.self)) else {
      return library.scalarError(info, "the answer is too large")
    }
    let answer = TextAnswer(result, library)
    for row in 0..<count {
      if let text = texts.text(row) { answer.put(text, at: row) } else { answer.putNull(at: row) }
    }
  }
}
