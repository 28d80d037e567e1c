#ifndef FOOTFALL_CDUCKDB_H
#define FOOTFALL_CDUCKDB_H
/* The functions of DuckDB's C API that Footfall uses, as pointers filled by name at run time. */
#include <stdbool.h>
#include <stdint.h>
#endif
