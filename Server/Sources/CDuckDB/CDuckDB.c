#include "CDuckDB.h"
