#ifndef FOOTFALL_CCRC32C_H
#define FOOTFALL_CCRC32C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli) by the processor's own instruction. */

/* Whether this processor has the instruction; the other function must not be called where it has not. */
bool footfall_crc32c_is_available(void);

/* Adds bytes to a remainder, which begins as all ones and is inverted at the end. */
uint32_t footfall_crc32c_update(uint32_t remainder, const void *bytes, size_t count);

#endif
