#ifndef FOOTFALL_CARCHIVE_H
#define FOOTFALL_CARCHIVE_H
#include <archive.h>
#include <archive_entry.h>

/* Types of entries; the library's own are macros with a cast, which Swift does not import. */
static const unsigned int footfall_archive_file = AE_IFREG;
static const unsigned int footfall_archive_folder = AE_IFDIR;
#endif
