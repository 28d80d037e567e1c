import Catalog
import HTTPServing

extension APISite {
  /// The call that publishes the document.
  var documentRoute: APIRoute {
    APIRoute(
      .get,
      "/openapi.json",
      "openapi",
      "This document.",
      needs: nil,
      answer: .anyObject
    ) { _ in self.document }
  }

  /// The OpenAPI 3.1 document of every call.
  var document: JSONValue {
    var paths: [(name: String, value: JSONValue)] = []
    for route in routes {
      let path = APIRoutes.root + route.path
      let operation = (
        name: route.method.rawValue.lowercased(),
        value: Self.operation(route)
      )
      if let index = paths.firstIndex(where: { $0.name == path }),
        case .object(let others) = paths[index].value
      {
        paths[index].value = .object(others + [operation])
      } else {
        paths.append((path, .object([operation])))
      }
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Footfall", "version": .text(version),
        "description":
          "Reads and administers a Footfall server. All times are milliseconds since 1970.",
        "license": ["name": "MIT", "identifier": "MIT"],
      ],
      "servers": [["url": "/"]],
      "security": [["key": []]],
      "paths": .object(paths),
      "components": [
        "securitySchemes": [
          "key": [
            "type": "http", "scheme": "bearer",
            "description":
              "A secret key, ff_sec_…, made on the page of keys or by footfall key create --kind secret.",
          ]
        ],
        "schemas": ["Problem": APIProblem.schema.json],
      ],
    ]
  }

  private static func operation(_ route: APIRoute) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("operationId", .text(route.name)), ("summary", .text(route.summary)),
    ]
    if let permission = route.permission {
      let roles = permission.roles.map(\.rawValue).sorted().joined(separator: ", ")
      members.append(("description", .text("For keys with the role \(roles).")))
    } else {
      members.append(("security", []))
    }
    if !route.parameters.isEmpty {
      members.append(("parameters", .list(route.parameters.map(parameter))))
    }
    if let body = route.body {
      members.append(
        (
          "requestBody",
          ["required": true, "content": ["application/json": ["schema": body.json]]]
        )
      )
    }
    if route.takesBytes != nil {
      members.append(
        ("requestBody", ["required": true, "content": ["application/octet-stream": [:]]])
      )
    }
    var responses = route.answers.map(response)
    if let download = route.download {
      responses[0].value = [
        "description": "The file.",
        "content": .object(download.types.map { ($0, ["schema": ["type": "string"]]) }),
      ]
    }
    members.append(("responses", .object(responses)))
    return .object(members)
  }

  private static func parameter(_ parameter: APIRoute.Parameter) -> JSONValue {
    [
      "name": .text(parameter.name), "in": .text(parameter.place.rawValue),
      "required": .boolean(parameter.place == .path), "description": .text(parameter.about),
      "schema": parameter.schema.json,
    ]
  }

  private static func response(
    _ answer: (status: Int, schema: APISchema?)
  ) -> (name: String, value: JSONValue) {
    let isProblem = answer.status >= 400
    var members: [(name: String, value: JSONValue)] = [
      ("description", .text(isProblem ? "Refused." : "Done."))
    ]
    if let schema = answer.schema {
      let json: JSONValue =
        isProblem ? ["$ref": "#/components/schemas/Problem"] : schema.json
      members.append(("content", ["application/json": ["schema": json]]))
    }
    return ("\(answer.status)", .object(members))
  }
}
