import Catalog
import EventStore
import HTTPServing
import Insights

extension APISite {
  private static let maxRows: Int64 = 10_000
  private static let run = APISchema.pattern("[A-Za-z0-9_-]{8,64}") { text in
    (8...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }

  /// Calls with statements in SQL.
  var consoleRoutes: [APIRoute] {
    [
      APIRoute(
        .post,
        "/projects/{project}/sql",
        "runStatement",
        "Runs one SELECT over the project's own events (tables events and people), for at most 30 seconds. An answer has at most 32 MB: the bytes of its values, and 8 more for each.",
        needs: .runStatements,
        parameters: [.project],
        body: .object([
          APIField("sql", .text(1...10_000)),
          APIField(
            "limit",
            .integer(1...Self.maxRows),
            "Rows; 1,000 unless told.",
            isRequired: false
          ),
          APIField("offset", .integer(0...100_000), "Rows passed over first.", isRequired: false),
          APIField("run", Self.run, "What the run is called, to cancel it.", isRequired: false),
        ]),
        answer: .object([
          APIField(
            "columns",
            .list(
              .object([APIField("name", .text(0...10_000)), APIField("type", .text(1...10_000))]),
              max: 10_000
            )
          ),
          APIField("rows", .list(.list(.scalar, max: 10_000), max: Int(Self.maxRows))),
          APIField("more", .boolean, "Whether there are more rows."),
        ])
      ) { try self.runStatement($0) },
      APIRoute(
        .delete,
        "/projects/{project}/sql/{run}",
        "cancelStatement",
        "Stops a run that this key began; one that is over is left alone.",
        needs: .runStatements,
        parameters: [.project, .path("run", Self.run, "What the run is called.")],
        status: 204,
        answer: nil
      ) { call in
        _ = self.consoleRuns.cancel(Self.name(call, call.text("run") ?? ""))
        return .null
      },
      APIRoute(
        .get,
        "/projects/{project}/statements",
        "listStatements",
        "The statements that are kept, by their names.",
        needs: .runStatements,
        parameters: [.project],
        answer: .page("statements", of: .statement, max: Catalog.maxStatements)
      ) { call in
        let kept = try self.catalog.statements(project: call.project)
        return ["statements": .list(kept.map { JSONValue($0) })]
      },
      APIRoute(
        .put,
        "/projects/{project}/statements",
        "keepStatement",
        "Keeps a statement; one of that name is replaced.",
        needs: .runStatements,
        parameters: [.project],
        body: .object([APIField("name", .name), APIField("text", .text(1...10_000))]),
        answer: .statement
      ) { call in
        JSONValue(
          try self.catalog.keepStatement(
            name: call.bodyText("name"),
            text: call.bodyText("text"),
            project: call.project,
            by: call.actor
          )
        )
      },
      APIRoute(
        .delete,
        "/projects/{project}/statements/{statement}",
        "deleteStatement",
        "Forgets a statement.",
        needs: .runStatements,
        parameters: [
          .project, .path("statement", .integer(1...Int64.max), "The statement's number."),
        ],
        status: 204,
        answer: nil
      ) { call in
        try self.catalog.deleteStatement(
          call.integer("statement") ?? 0,
          project: call.project,
          by: call.actor
        )
        return .null
      },
    ]
  }

  /// Nobody cancels another key's run.
  private static func name(_ call: APICall, _ run: String) -> String {
    "\(call.holder?.keyID ?? 0) \(run)"
  }

  private func runStatement(_ call: APICall) throws -> JSONValue {
    let query = ConsoleQuery(
      text: call.bodyText("sql"),
      tables: ConsoleTables.tables(project: call.project),
      maxRows: call.bodyInteger("limit") ?? 1_000,
      skippedRows: call.bodyInteger("offset") ?? 0
    )
    let run = call.bodyText("run")
    let request = call.request
    do {
      let answer = try consoleRuns.run(
        Self.name(call, run),
        while: { !request.isAbandoned }
      ) { cancellation in
        try store.answer(query, cancellation: cancellation)
      }
      return JSONValue(answer)
    } catch let problem as ConsoleProblem {
      throw APIProblem.invalid("sql", String(ClientText.of(problem).prefix(2_000)))
    }
  }
}

extension APISchema {
  fileprivate static let statement = object([
    APIField("id", .integer(1...Int64.max)), APIField("name", .text(0...100)),
    APIField("text", .text(0...10_000)), APIField("changed_at", .time),
  ])
}

extension JSONValue {
  fileprivate init(_ statement: KeptStatement) {
    self = [
      "id": .integer(statement.id), "name": .text(statement.name), "text": .text(statement.text),
      "changed_at": .integer(statement.changedAtMs),
    ]
  }

  fileprivate init(_ answer: ConsoleAnswer) {
    self = [
      "columns": .list(
        answer.columns.map { ["name": .text($0.name), "type": .text($0.type)] }
      ),
      "rows": .list(
        answer.rows.map { row in
          .list(
            zip(row, answer.columns).map { value, column in
              guard let value else { return .null }
              // Infinity and NaN are no JSON.
              let isNumber = column.isNumber && Double(value)?.isFinite == true
              return isNumber ? .raw(value) : .text(value)
            }
          )
        }
      ), "more": .boolean(answer.isCut),
    ]
  }
}
