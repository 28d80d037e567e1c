/* Swift cannot reach the instruction without compiler flags, which a package's clients do not get.
   C can, function by function. */

#include "CCRC32C.h"

#include <string.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <nmmintrin.h>
#include <wmmintrin.h>

#define WITH_INSTRUCTION __attribute__((target("sse4.2")))
#define STEP_WORD(crc, word) ((uint32_t)_mm_crc32_u64((crc), (word)))
#define STEP_BYTE(crc, byte) (_mm_crc32_u8((crc), (byte)))

/* Whether there is the carry-less product too; set as the processor is asked, which a virtual machine
   answers slowly. */
static bool has_product = false;

bool footfall_crc32c_is_available(void) {
  unsigned int a, b, c, d;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSE4_2) == 0) return false;
  has_product = (c & bit_PCLMUL) != 0;
  return true;
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

#if defined(__x86_64__)

/* An instruction's result is there three cycles later, though one can begin in each: three remainders are
   worked out side by side over LANE bytes each, and brought together. To move a remainder over N bytes is to
   multiply it by x^(8N) modulo the polynomial, for which the carry-less product with x^(8N-33) is taken
   through the instruction itself. */
#define LANE 256
#define OVER_ONE_LANE 0xb9e02b86u
#define OVER_TWO_LANES 0xdd7e3b0cu

__attribute__((target("sse4.2,pclmul")))
static uint32_t moved(uint32_t remainder, uint32_t factor) {
  __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi32_si128((int)remainder), _mm_cvtsi32_si128((int)factor), 0);
  return (uint32_t)_mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

/* Takes whole blocks of three lanes off the front. */
__attribute__((target("sse4.2,pclmul")))
static uint32_t update_blocks(uint32_t remainder, const uint8_t **bytes, size_t *count) {
  const uint8_t *next = *bytes;
  for (; *count >= 3 * LANE; *count -= 3 * LANE, next += 3 * LANE) {
    uint64_t first = remainder, second = 0, third = 0, word;
    for (size_t place = 0; place < LANE; place += 8) {
      memcpy(&word, next + place, 8);
      first = _mm_crc32_u64(first, word);
      memcpy(&word, next + LANE + place, 8);
      second = _mm_crc32_u64(second, word);
      memcpy(&word, next + 2 * LANE + place, 8);
      third = _mm_crc32_u64(third, word);
    }
    remainder = moved((uint32_t)first, OVER_TWO_LANES) ^ moved((uint32_t)second, OVER_ONE_LANE) ^
                (uint32_t)third;
  }
  *bytes = next;
  return remainder;
}

#endif

#if defined(WITH_INSTRUCTION)

WITH_INSTRUCTION
uint32_t footfall_crc32c_update(uint32_t remainder, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
#if defined(__x86_64__)
  if (count >= 3 * LANE && has_product) {
    remainder = update_blocks(remainder, &next, &count);
  }
#endif
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
