/* The part of DuckDB's C API that Footfall uses, as types of functions that are looked up by name at
   run time. The library is never linked: a server without it starts and says so. */
#ifndef FOOTFALL_CDUCKDB_H
#define FOOTFALL_CDUCKDB_H
#include <stdbool.h>
#include <stdint.h>

/* Handles. Whoever got one gives it back with its destroy function. */
typedef struct ddb_database_box *ddb_database;
typedef struct ddb_connection_box *ddb_connection;
typedef struct ddb_config_box *ddb_config;
typedef struct ddb_statement_box *ddb_statement;
typedef struct ddb_value_box *ddb_value;
typedef struct ddb_chunk_box *ddb_chunk;
typedef struct ddb_vector_box *ddb_vector;
typedef struct ddb_type_box *ddb_type;
typedef struct ddb_appender_box *ddb_appender;
typedef struct ddb_aggregate_box *ddb_aggregate;
typedef struct ddb_scalar_box *ddb_scalar;
typedef struct ddb_function_info_box *ddb_function_info;
/* Memory of an aggregate's own, as large as it asked for. */
typedef void *ddb_aggregate_state;

/* 0 is success. */
typedef int ddb_state;

/* The answer of a statement: six words of which only the library knows the meaning. */
typedef struct { uint64_t words[6]; } ddb_result;
/* Milliseconds since 1970. */
typedef struct { int64_t milliseconds; } ddb_timestamp_ms;
/* 128 bits without a sign; also how a UUID is handed over. */
typedef struct { uint64_t lower; uint64_t upper; } ddb_uhugeint;
/* The upper half is signed in order, which makes UUIDs ascend. */
typedef struct { uint64_t lower; int64_t upper; } ddb_hugeint;
/* Where one list lies in the vector of all lists' values. */
typedef struct { uint64_t offset; uint64_t length; } ddb_list_entry;

/* Numbers of column types. */
enum {
  DDB_BOOLEAN = 1, DDB_TINYINT = 2, DDB_SMALLINT = 3, DDB_INTEGER = 4, DDB_BIGINT = 5,
  DDB_UTINYINT = 6, DDB_USMALLINT = 7, DDB_UINTEGER = 8, DDB_UBIGINT = 9, DDB_FLOAT = 10,
  DDB_DOUBLE = 11, DDB_TIMESTAMP = 12, DDB_HUGEINT = 16, DDB_VARCHAR = 17,
  DDB_TIMESTAMP_MS = 21, DDB_UUID = 27
};

typedef const char *(*ddb_library_version_fn)(void);
typedef void (*ddb_free_fn)(void *);

typedef ddb_state (*ddb_create_config_fn)(ddb_config *);
typedef ddb_state (*ddb_set_config_fn)(ddb_config, const char *name, const char *value);
typedef void (*ddb_destroy_config_fn)(ddb_config *);

typedef ddb_state (*ddb_open_fn)(const char *path, ddb_database *, ddb_config, char **error);
typedef void (*ddb_close_fn)(ddb_database *);
typedef ddb_state (*ddb_connect_fn)(ddb_database, ddb_connection *);
typedef void (*ddb_disconnect_fn)(ddb_connection *);
typedef void (*ddb_interrupt_fn)(ddb_connection);
typedef struct { double percentage; uint64_t rows_processed, total_rows; } ddb_query_progress_type;
typedef ddb_query_progress_type (*ddb_query_progress_fn)(ddb_connection);

typedef ddb_state (*ddb_query_fn)(ddb_connection, const char *sql, ddb_result *);
typedef ddb_state (*ddb_prepare_fn)(ddb_connection, const char *sql, ddb_statement *);
typedef const char *(*ddb_prepare_error_fn)(ddb_statement);
typedef void (*ddb_destroy_prepare_fn)(ddb_statement *);
typedef ddb_state (*ddb_bind_value_fn)(ddb_statement, uint64_t parameter, ddb_value);
typedef ddb_state (*ddb_execute_fn)(ddb_statement, ddb_result *);

typedef ddb_value (*ddb_create_null_fn)(void);
typedef ddb_value (*ddb_create_int64_fn)(int64_t);
typedef ddb_value (*ddb_create_double_fn)(double);
typedef ddb_value (*ddb_create_bool_fn)(bool);
typedef ddb_value (*ddb_create_text_fn)(const char *, uint64_t bytes);
typedef ddb_value (*ddb_create_timestamp_ms_fn)(ddb_timestamp_ms);
typedef ddb_value (*ddb_create_uuid_fn)(ddb_uhugeint);
typedef void (*ddb_destroy_value_fn)(ddb_value *);

typedef const char *(*ddb_result_error_fn)(ddb_result *);
typedef uint64_t (*ddb_column_count_fn)(ddb_result *);
typedef int (*ddb_column_type_fn)(ddb_result *, uint64_t column);
typedef uint64_t (*ddb_rows_changed_fn)(ddb_result *);
typedef ddb_chunk (*ddb_fetch_chunk_fn)(ddb_result);
typedef void (*ddb_destroy_result_fn)(ddb_result *);

typedef ddb_type (*ddb_create_type_fn)(int number);
typedef void (*ddb_destroy_type_fn)(ddb_type *);
typedef ddb_chunk (*ddb_create_chunk_fn)(ddb_type *, uint64_t columns);
typedef void (*ddb_destroy_chunk_fn)(ddb_chunk *);
typedef void (*ddb_reset_chunk_fn)(ddb_chunk);
typedef uint64_t (*ddb_chunk_size_fn)(ddb_chunk);
typedef void (*ddb_set_chunk_size_fn)(ddb_chunk, uint64_t rows);
typedef ddb_vector (*ddb_chunk_vector_fn)(ddb_chunk, uint64_t column);
typedef void *(*ddb_vector_data_fn)(ddb_vector);
typedef uint64_t *(*ddb_vector_validity_fn)(ddb_vector);
typedef void (*ddb_vector_writable_validity_fn)(ddb_vector);

typedef ddb_type (*ddb_create_list_type_fn)(ddb_type of);
typedef ddb_vector (*ddb_list_child_fn)(ddb_vector);
typedef uint64_t (*ddb_list_size_fn)(ddb_vector);
typedef ddb_state (*ddb_list_set_size_fn)(ddb_vector, uint64_t);

/* An aggregate's own functions; called from several threads, each state from one at a time. */
typedef uint64_t (*ddb_aggregate_size_fn)(ddb_function_info);
typedef void (*ddb_aggregate_init_fn)(ddb_function_info, ddb_aggregate_state);
typedef void (*ddb_aggregate_update_fn)(ddb_function_info, ddb_chunk, ddb_aggregate_state *);
typedef void (*ddb_aggregate_combine_fn)(
    ddb_function_info, ddb_aggregate_state *source, ddb_aggregate_state *target, uint64_t count);
typedef void (*ddb_aggregate_finalize_fn)(
    ddb_function_info, ddb_aggregate_state *, ddb_vector, uint64_t count, uint64_t offset);
typedef void (*ddb_aggregate_destroy_fn)(ddb_aggregate_state *, uint64_t count);

typedef ddb_aggregate (*ddb_create_aggregate_fn)(void);
typedef void (*ddb_destroy_aggregate_fn)(ddb_aggregate *);
typedef void (*ddb_name_aggregate_fn)(ddb_aggregate, const char *);
typedef void (*ddb_add_aggregate_parameter_fn)(ddb_aggregate, ddb_type);
typedef void (*ddb_set_aggregate_return_fn)(ddb_aggregate, ddb_type);
typedef void (*ddb_set_aggregate_functions_fn)(
    ddb_aggregate, ddb_aggregate_size_fn, ddb_aggregate_init_fn, ddb_aggregate_update_fn,
    ddb_aggregate_combine_fn, ddb_aggregate_finalize_fn);
typedef void (*ddb_set_aggregate_destroy_fn)(ddb_aggregate, ddb_aggregate_destroy_fn);
typedef void (*ddb_aggregate_error_fn)(ddb_function_info, const char *);
typedef ddb_state (*ddb_register_aggregate_fn)(ddb_connection, ddb_aggregate);

/* A function of one row's values; called from several threads. */
typedef void (*ddb_scalar_run_fn)(ddb_function_info, ddb_chunk, ddb_vector);

typedef ddb_scalar (*ddb_create_scalar_fn)(void);
typedef void (*ddb_destroy_scalar_fn)(ddb_scalar *);
typedef void (*ddb_name_scalar_fn)(ddb_scalar, const char *);
typedef void (*ddb_add_scalar_parameter_fn)(ddb_scalar, ddb_type);
typedef void (*ddb_set_scalar_return_fn)(ddb_scalar, ddb_type);
typedef void (*ddb_set_scalar_function_fn)(ddb_scalar, ddb_scalar_run_fn);
typedef void (*ddb_set_scalar_rule_fn)(ddb_scalar);
typedef void (*ddb_scalar_error_fn)(ddb_function_info, const char *);
typedef ddb_state (*ddb_register_scalar_fn)(ddb_connection, ddb_scalar);
typedef void (*ddb_assign_text_fn)(ddb_vector, uint64_t row, const char *, uint64_t bytes);

typedef ddb_state (*ddb_create_appender_fn)(
    ddb_connection, const char *schema, const char *table, ddb_appender *);
typedef ddb_state (*ddb_append_chunk_fn)(ddb_appender, ddb_chunk);
typedef ddb_state (*ddb_close_appender_fn)(ddb_appender);
typedef const char *(*ddb_appender_error_fn)(ddb_appender);
typedef ddb_state (*ddb_destroy_appender_fn)(ddb_appender *);
#endif
