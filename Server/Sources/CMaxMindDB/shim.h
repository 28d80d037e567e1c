#ifndef FOOTFALL_CMAXMINDDB_H
#define FOOTFALL_CMAXMINDDB_H
#include <stdint.h>
#include <maxminddb.h>

/* A text of an entry, by the names on the way to it; 0 bytes where there is none. The library's own
   record of a value has a 128-bit member, which Swift does not import. */
static inline size_t footfall_mmdb_text(const MMDB_entry_s *entry, const char *const *path, const char **text) {
  MMDB_entry_s start = *entry;
  MMDB_entry_data_s data;
  if (MMDB_aget_value(&start, &data, path) != MMDB_SUCCESS) return 0;
  if (!data.has_data || data.type != MMDB_DATA_TYPE_UTF8_STRING) return 0;
  *text = data.utf8_string;
  return data.data_size;
}
#endif
