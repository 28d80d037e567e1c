import EventStore

/// Decides whether a statement may run: one SELECT, over the tables that it was given, with functions that
/// only reckon.
///
/// It does not read SQL. DuckDB does, and hands out what it understood as a tree in JSON; everything in that
/// tree must be known here, so that what a newer DuckDB adds is refused until somebody looked at it.
struct ConsoleGuard {
  /// The names of the tables that may be read, in lower case.
  let tables: Set<String>
  /// The names of everything that the database holds, in lower case: a name that a statement gives to a part
  /// of itself must be none of these, or it could be read where that part is not meant.
  let taken: Set<String>

  private static let expressions: Set<String> = [
    "BETWEEN", "CASE", "CAST", "COLLATE", "COLUMN_REF", "COMPARISON", "CONJUNCTION", "CONSTANT",
    "FUNCTION", "LAMBDA", "LAMBDA_REF", "OPERATOR", "POSITIONAL_REFERENCE", "STAR", "SUBQUERY",
    "TYPE",
    "WINDOW",
  ]
  private static let nodes: Set<String> = [
    "ASCENDING", "BASE_TABLE", "CTE_NODE", "DESCENDING", "DISTINCT_MODIFIER", "EMPTY",
    "EXPRESSION_LIST", "JOIN", "LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "ORDER_ASCENDING",
    "ORDER_DEFAULT", "ORDER_DESCENDING", "ORDER_MODIFIER", "RECURSIVE_CTE_NODE", "SELECT_NODE",
    "SET_OPERATION_NODE", "SUBQUERY", "TABLE_FUNCTION",
  ]
  private static let tableFunctions: Set<String> = ["generate_series", "range", "unnest"]

  /// Looks through a statement's tree.
  ///
  /// - Throws: `ConsoleProblem`, which says what is not allowed.
  func check(_ tree: Members<PropertyValue>) throws(ConsoleProblem) {
    if tree["error"] == .boolean(true) {
      let message = Self.text(tree["error_message"])
      throw message.hasPrefix("Only SELECT")
        ? ConsoleProblem("Only SELECT is allowed: nothing can be changed here.")
        : ConsoleProblem(message)
    }
    guard case .list(let statements)? = tree["statements"], statements.count == 1 else {
      throw ConsoleProblem("One statement at a time, please.")
    }
    var own: Set<String> = []
    try gather(statements[0], into: &own)
    try check(statements[0], own)
  }

  /// Takes the names that the statement gives to parts of itself.
  private func gather(
    _ value: PropertyValue,
    into own: inout Set<String>
  ) throws(ConsoleProblem) {
    switch value {
    case .list(let values): for value in values { try gather(value, into: &own) }
    case .object(let members):
      if case .object(let ctes)? = members["cte_map"], case .list(let entries)? = ctes["map"] {
        for case .object(let entry) in entries { try take(Self.text(entry["key"]), into: &own) }
      }
      if case .text(let name)? = members["cte_name"], !name.isEmpty { try take(name, into: &own) }
      for value in members.values { try gather(value, into: &own) }
    default: break
    }
  }

  private func take(_ name: String, into own: inout Set<String>) throws(ConsoleProblem) {
    let name = name.lowercased()
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy {
        (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
      }
    guard isPlain, !taken.contains(name), !tables.contains(name) else {
      throw ConsoleProblem("“\(name.prefix(100))” cannot be a name after WITH; take another one.")
    }
    own.insert(name)
  }

  private func check(_ value: PropertyValue, _ own: Set<String>) throws(ConsoleProblem) {
    switch value {
    case .list(let values): for value in values { try check(value, own) }
    case .object(let members):
      try checkObject(members, own)
      for (name, value) in members { try check(part: value, name, of: members, own) }
    default: break
    }
  }

  /// A function that makes a table is looked at with its table: what makes rows one by one there would make
  /// a list of any length at once elsewhere.
  private func check(
    part: PropertyValue,
    _ name: String,
    of members: Members<PropertyValue>,
    _ own: Set<String>
  ) throws(ConsoleProblem) {
    guard name == "function", members["type"] == .text("TABLE_FUNCTION"),
      case .object(let function) = part
    else { return try check(part, own) }
    for value in function.values { try check(value, own) }
  }

  private func checkObject(
    _ members: Members<PropertyValue>,
    _ own: Set<String>
  ) throws(ConsoleProblem) {
    if case .text(let kind)? = members["class"] {
      guard Self.expressions.contains(kind) else {
        throw ConsoleProblem("\(kind.lowercased().replacing("_", with: " ")) is not allowed here.")
      }
      let name = Self.text(members["function_name"])
      if kind == "FUNCTION" { try checkFunction(name, members) }
      if kind == "WINDOW", !name.isEmpty { try checkFunction(name, members) }
      return
    }
    guard case .text(let kind)? = members["type"] else { return }
    guard Self.nodes.contains(kind) else {
      throw ConsoleProblem("\(kind.lowercased().replacing("_", with: " ")) is not allowed here.")
    }
    switch kind {
    case "BASE_TABLE":
      let path = Self.path(members)
      let name = Self.text(members["table_name"]).lowercased()
      guard path.count == 1, path[0].lowercased() == name,
        Self.text(members["schema_name"]).isEmpty, Self.text(members["catalog_name"]).isEmpty,
        tables.contains(name) || own.contains(name)
      else {
        let known = tables.sorted().joined(separator: ", ")
        throw ConsoleProblem(
          "There is no table “\(path.joined(separator: ".").prefix(100))” here; there are \(known)."
        )
      }
      guard members["at_clause"] ?? .null == .null else {
        throw ConsoleProblem("AT is not allowed here.")
      }
    case "TABLE_FUNCTION":
      guard case .object(let function)? = members["function"],
        Self.tableFunctions.contains(Self.text(function["function_name"]).lowercased()),
        Self.path(function).count == 1
      else { throw ConsoleProblem("Only unnest, range and generate_series make tables here.") }
    default: break
    }
  }

  private func checkFunction(
    _ name: String,
    _ members: Members<PropertyValue>
  ) throws(ConsoleProblem) {
    let name = name.lowercased()
    let isOperator = !name.isEmpty && !name.utf8.contains { (0x61...0x7a).contains($0) }
    guard Self.text(members["schema"]).isEmpty, Self.text(members["catalog"]).isEmpty,
      members["qualified_name"] == nil || Self.path(members).count == 1,
      isOperator || ConsoleFunctions.allowed.contains(name)
    else { throw ConsoleProblem("The function \(name.prefix(100)) is not allowed here.") }
  }

  private static func path(_ members: Members<PropertyValue>) -> [String] {
    guard case .object(let qualified)? = members["qualified_name"],
      case .list(let parts)? = qualified["path"]
    else { return [] }
    return parts.map(text)
  }

  private static func text(_ value: PropertyValue?) -> String {
    if case .text(let text)? = value { text } else { "" }
  }
}

/// The functions that a console's statement may call.
///
/// They reckon and nothing else: none reads a file, a setting or the surroundings, none waits, none calls
/// another that it is told by name, as `list_aggregate` does, none makes much of little, as `repeat` and `replace` do,
/// or takes much longer for texts or lists twice as long, as `levenshtein` does: DuckDB stops a statement
/// between two calls only. `json_contains` ends the process for JSON that is nested deeply.
enum ConsoleFunctions {
  static let allowed = Set(
    [mathematics, texts, times, lists, objects, aggregates, windows].flatMap {
      $0.split(separator: " ").map(String.init)
    }
  )

  private static let mathematics = """
    abs acos add asin atan atan2 cbrt ceil ceiling cos cot degrees div divide exp even factorial fdiv floor \
    fmod gamma gcd greatest hash isfinite isinf isnan lcm least lgamma ln log log10 log2 mod multiply \
    nextafter pi pow power radians random round round_even sign signbit sin sqrt subtract tan trunc xor \
    bit_count
    """
  private static let texts = """
    ascii bit_length char_length character_length chr concat concat_ws contains \
    ends_with format_bytes from_base64 hex ilike_escape instr lcase left left_grapheme len length length_grapheme like_escape \
    lower ltrim md5 nfc_normalize not_ilike_escape not_like_escape ord position prefix regexp_escape \
    regexp_extract regexp_extract_all regexp_full_match regexp_matches \
    regexp_split_to_array reverse right right_grapheme rtrim sha256 split split_part starts_with \
    str_split str_split_regex string_split string_split_regex string_to_array strip_accents strlen strpos \
    substr substring substring_grapheme suffix to_base64 to_hex translate trim ucase unhex unicode upper \
    url_decode url_encode
    """
  private static let times = """
    age century current_date current_localtime current_localtimestamp date_diff date_part date_sub \
    date_trunc datediff datepart datesub datetrunc date_add day dayname dayofmonth dayofweek dayofyear \
    decade epoch epoch_ms epoch_ns epoch_us era get_current_time get_current_timestamp hour isodow isoyear \
    julian last_day make_date make_time make_timestamp make_timestamp_ms make_timestamptz microsecond \
    millennium millisecond minute month monthname nanosecond now quarter second strftime strptime \
    time_bucket timezone timezone_hour timezone_minute to_centuries to_days to_decades to_hours \
    to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp \
    to_weeks to_years today transaction_timestamp try_strptime week weekday weekofyear year yearweek ago \
    days_in_month
    """
  private static let lists = """
    array_append array_apply array_cat array_concat array_contains \
    array_distinct array_extract array_filter array_has array_has_all array_has_any array_indexof \
    array_length array_position array_reduce array_reverse_sort array_select array_slice \
    array_sort array_transform array_unique array_value array_zip apply element_at filter \
    flatten list_append list_apply list_avg list_cat list_concat list_contains \
    list_count list_distinct list_element list_extract list_filter list_first list_has list_has_all \
    list_has_any list_indexof list_last list_max list_median list_min list_mode list_pack \
    list_position list_prepend list_reduce list_reverse list_reverse_sort list_select list_slice list_sort \
    list_sum list_transform list_unique list_value list_where list_zip reduce
    """
  private static let objects = """
    alias array_to_json from_json json_array json_array_length json_exists json_extract \
    json_extract_path json_extract_path_text json_extract_string json_keys json_merge_patch json_object \
    json_quote json_structure json_transform json_type json_valid json_value map map_contains map_entries \
    map_extract map_from_entries map_keys map_values row row_to_json struct_extract struct_extract_at \
    struct_insert struct_pack to_json typeof cardinality coalesce ifnull if nullif constant_or_null
    """
  private static let aggregates = """
    any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_min \
    arg_min_null argmax argmin array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count count_if \
    count_star countif covar_pop covar_samp entropy favg first fsum group_concat histogram kahan_sum \
    kurtosis kurtosis_pop last list listagg mad max max_by mean median min min_by mode product quantile \
    quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx \
    regr_sxy regr_syy reservoir_quantile sem skewness stddev stddev_pop stddev_samp string_agg sum \
    sum_no_overflow sumkahan var_pop var_samp variance geomean geometric_mean wavg weighted_avg \
    json_group_array json_group_object grouping grouping_id
    """
  private static let windows = """
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value fill
    """
}
