/// Placeholder of the module's outline; see `Request`, `Response`, `Reply` and `Router`.
enum HTTPServing {}
