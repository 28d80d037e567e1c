import CDuckDB
import EventStore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// DuckDB's functions, looked up by name in a library that is loaded at run time.
///
/// Immutable, so any thread may use it. The library stays loaded until the process ends.
struct DuckDBLibrary: Sendable {
  let version: ddb_library_version_fn
  let free: ddb_free_fn

  let createConfig: ddb_create_config_fn
  let setConfig: ddb_set_config_fn
  let destroyConfig: ddb_destroy_config_fn

  let open: ddb_open_fn
  let close: ddb_close_fn
  let connect: ddb_connect_fn
  let disconnect: ddb_disconnect_fn
  let interrupt: ddb_interrupt_fn
  let queryProgress: ddb_query_progress_fn

  let query: ddb_query_fn
  let prepare: ddb_prepare_fn
  let prepareError: ddb_prepare_error_fn
  let destroyPrepare: ddb_destroy_prepare_fn
  let bindValue: ddb_bind_value_fn
  let execute: ddb_execute_fn

  let createNull: ddb_create_null_fn
  let createInt64: ddb_create_int64_fn
  let createDouble: ddb_create_double_fn
  let createBool: ddb_create_bool_fn
  let createText: ddb_create_text_fn
  let createTimestampMs: ddb_create_timestamp_ms_fn
  let createUUID: ddb_create_uuid_fn
  let destroyValue: ddb_destroy_value_fn

  let resultError: ddb_result_error_fn
  let columnCount: ddb_column_count_fn
  let columnType: ddb_column_type_fn
  let rowsChanged: ddb_rows_changed_fn
  let fetchChunk: ddb_fetch_chunk_fn
  let destroyResult: ddb_destroy_result_fn

  let createType: ddb_create_type_fn
  let destroyType: ddb_destroy_type_fn
  let createChunk: ddb_create_chunk_fn
  let destroyChunk: ddb_destroy_chunk_fn
  let resetChunk: ddb_reset_chunk_fn
  let chunkSize: ddb_chunk_size_fn
  let setChunkSize: ddb_set_chunk_size_fn
  let chunkVector: ddb_chunk_vector_fn
  let vectorData: ddb_vector_data_fn
  let vectorValidity: ddb_vector_validity_fn
  let vectorWritableValidity: ddb_vector_writable_validity_fn

  let createAppender: ddb_create_appender_fn
  let appendChunk: ddb_append_chunk_fn
  let closeAppender: ddb_close_appender_fn
  let appenderError: ddb_appender_error_fn
  let destroyAppender: ddb_destroy_appender_fn

  let createListType: ddb_create_list_type_fn
  let listChild: ddb_list_child_fn
  let listSize: ddb_list_size_fn
  let listReserve: ddb_list_set_size_fn
  let setListSize: ddb_list_set_size_fn

  let createAggregate: ddb_create_aggregate_fn
  let destroyAggregate: ddb_destroy_aggregate_fn
  let nameAggregate: ddb_name_aggregate_fn
  let addAggregateParameter: ddb_add_aggregate_parameter_fn
  let setAggregateReturn: ddb_set_aggregate_return_fn
  let setAggregateFunctions: ddb_set_aggregate_functions_fn
  let setAggregateDestroy: ddb_set_aggregate_destroy_fn
  let aggregateError: ddb_aggregate_error_fn
  let registerAggregate: ddb_register_aggregate_fn

  let createScalar: ddb_create_scalar_fn
  let destroyScalar: ddb_destroy_scalar_fn
  let nameScalar: ddb_name_scalar_fn
  let addScalarParameter: ddb_add_scalar_parameter_fn
  let setScalarReturn: ddb_set_scalar_return_fn
  let setScalarFunction: ddb_set_scalar_function_fn
  let setScalarVolatile: ddb_set_scalar_rule_fn
  let setScalarTakesNull: ddb_set_scalar_rule_fn
  let scalarError: ddb_scalar_error_fn
  let registerScalar: ddb_register_scalar_fn
  let assignText: ddb_assign_text_fn

  /// Loads the library at `path`.
  ///
  /// - Throws: `.unavailable` with the system's reason when the file or a function is missing.
  init(path: String) throws(StoreError) {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw .unavailable("DuckDB's library could not be loaded: \(Self.systemReason())")
    }
    func function<Function>(_ name: String) throws(StoreError) -> Function {
      guard let symbol = dlsym(handle, name) else {
        throw .unavailable("DuckDB's library at \(path) lacks the function \(name)")
      }
      return unsafeBitCast(symbol, to: Function.self)
    }
    version = try function("duckdb_library_version")
    free = try function("duckdb_free")
    createConfig = try function("duckdb_create_config")
    setConfig = try function("duckdb_set_config")
    destroyConfig = try function("duckdb_destroy_config")
    open = try function("duckdb_open_ext")
    close = try function("duckdb_close")
    connect = try function("duckdb_connect")
    disconnect = try function("duckdb_disconnect")
    interrupt = try function("duckdb_interrupt")
    queryProgress = try function("duckdb_query_progress")
    query = try function("duckdb_query")
    prepare = try function("duckdb_prepare")
    prepareError = try function("duckdb_prepare_error")
    destroyPrepare = try function("duckdb_destroy_prepare")
    bindValue = try function("duckdb_bind_value")
    execute = try function("duckdb_execute_prepared")
    createNull = try function("duckdb_create_null_value")
    createInt64 = try function("duckdb_create_int64")
    createDouble = try function("duckdb_create_double")
    createBool = try function("duckdb_create_bool")
    createText = try function("duckdb_create_varchar_length")
    createTimestampMs = try function("duckdb_create_timestamp_ms")
    createUUID = try function("duckdb_create_uuid")
    destroyValue = try function("duckdb_destroy_value")
    resultError = try function("duckdb_result_error")
    columnCount = try function("duckdb_column_count")
    columnType = try function("duckdb_column_type")
    rowsChanged = try function("duckdb_rows_changed")
    fetchChunk = try function("duckdb_fetch_chunk")
    destroyResult = try function("duckdb_destroy_result")
    createType = try function("duckdb_create_logical_type")
    destroyType = try function("duckdb_destroy_logical_type")
    createChunk = try function("duckdb_create_data_chunk")
    destroyChunk = try function("duckdb_destroy_data_chunk")
    resetChunk = try function("duckdb_data_chunk_reset")
    chunkSize = try function("duckdb_data_chunk_get_size")
    setChunkSize = try function("duckdb_data_chunk_set_size")
    chunkVector = try function("duckdb_data_chunk_get_vector")
    vectorData = try function("duckdb_vector_get_data")
    vectorValidity = try function("duckdb_vector_get_validity")
    vectorWritableValidity = try function("duckdb_vector_ensure_validity_writable")
    createAppender = try function("duckdb_appender_create")
    appendChunk = try function("duckdb_append_data_chunk")
    closeAppender = try function("duckdb_appender_close")
    appenderError = try function("duckdb_appender_error")
    destroyAppender = try function("duckdb_appender_destroy")
    createListType = try function("duckdb_create_list_type")
    listChild = try function("duckdb_list_vector_get_child")
    listSize = try function("duckdb_list_vector_get_size")
    listReserve = try function("duckdb_list_vector_reserve")
    setListSize = try function("duckdb_list_vector_set_size")
    createAggregate = try function("duckdb_create_aggregate_function")
    destroyAggregate = try function("duckdb_destroy_aggregate_function")
    nameAggregate = try function("duckdb_aggregate_function_set_name")
    addAggregateParameter = try function("duckdb_aggregate_function_add_parameter")
    setAggregateReturn = try function("duckdb_aggregate_function_set_return_type")
    setAggregateFunctions = try function("duckdb_aggregate_function_set_functions")
    setAggregateDestroy = try function("duckdb_aggregate_function_set_destructor")
    aggregateError = try function("duckdb_aggregate_function_set_error")
    registerAggregate = try function("duckdb_register_aggregate_function")
    createScalar = try function("duckdb_create_scalar_function")
    destroyScalar = try function("duckdb_destroy_scalar_function")
    nameScalar = try function("duckdb_scalar_function_set_name")
    addScalarParameter = try function("duckdb_scalar_function_add_parameter")
    setScalarReturn = try function("duckdb_scalar_function_set_return_type")
    setScalarFunction = try function("duckdb_scalar_function_set_function")
    setScalarVolatile = try function("duckdb_scalar_function_set_volatile")
    setScalarTakesNull = try function("duckdb_scalar_function_set_special_handling")
    scalarError = try function("duckdb_scalar_function_set_error")
    registerScalar = try function("duckdb_register_scalar_function")
    assignText = try function("duckdb_vector_assign_string_element_len")
  }

  private static func systemReason() -> String {
    dlerror().map { String(cString: $0) } ?? "no reason given"
  }
}
