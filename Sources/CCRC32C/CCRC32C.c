/* Swift cannot reach the instruction without compiler flags, which a package's clients do not get.
   C can, function by function. */

#include "CCRC32C.h"

#include <string.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <nmmintrin.h>

#define WITH_INSTRUCTION __attribute__((target("sse4.2")))
#define STEP_WORD(crc, word) ((uint32_t)_mm_crc32_u64((crc), (word)))
#define STEP_BYTE(crc, byte) (_mm_crc32_u8((crc), (byte)))

bool footfall_crc32c_is_available(void) {
  unsigned int a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_2) != 0;
}

#elif defined(__aarch64__)

#include <arm_acle.h>

#if defined(__APPLE__)
/* Every 64-bit processor that the platforms support has it. */
#define WITH_INSTRUCTION
bool footfall_crc32c_is_available(void) { return true; }
#else
#include <sys/auxv.h>
#define WITH_INSTRUCTION __attribute__((target("crc")))
/* HWCAP_CRC32 of <asm/hwcap.h>. */
bool footfall_crc32c_is_available(void) { return (getauxval(AT_HWCAP) & (1UL << 7)) != 0; }
#endif

#define STEP_WORD(crc, word) (__crc32cd((crc), (word)))
#define STEP_BYTE(crc, byte) (__crc32cb((crc), (byte)))

#endif

#if defined(WITH_INSTRUCTION)

WITH_INSTRUCTION
uint32_t footfall_crc32c_update(uint32_t remainder, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    remainder = STEP_WORD(remainder, word);
  }
  for (; count > 0; count--, next++) {
    remainder = STEP_BYTE(remainder, *next);
  }
  return remainder;
}

#else

bool footfall_crc32c_is_available(void) { return false; }

uint32_t footfall_crc32c_update(uint32_t remainder, const void *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return remainder;
}

#endif
