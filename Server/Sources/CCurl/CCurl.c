#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The values of curl.h that are used, part of its stable interface. An option's number is its own plus
   10,000 for pointers, 20,000 for functions and 30,000 for curl_off_t. */
enum {
  OPT_WRITEDATA = 10001, OPT_URL = 10002, OPT_PROXY = 10004, OPT_ERRORBUFFER = 10010,
  OPT_POSTFIELDS = 10015, OPT_USERAGENT = 10018, OPT_HTTPHEADER = 10023, OPT_FOLLOWLOCATION = 52,
  OPT_NOSIGNAL = 99, OPT_TIMEOUT_MS = 155, OPT_CONNECTTIMEOUT_MS = 156, OPT_PROTOCOLS = 181,
  OPT_HEADERDATA = 10029, OPT_RESOLVE = 10203, OPT_WRITEFUNCTION = 20011, OPT_HEADERFUNCTION = 20079,
  OPT_POSTFIELDSIZE_LARGE = 30120, CODE_OUT_OF_MEMORY = 27, CODE_TOO_LARGE = 100,
  PROTOCOL_HTTP = 1, PROTOCOL_HTTPS = 2, INFO_RESPONSE_CODE = 0x200002, GLOBAL_DEFAULT = 3
};

static struct {
  int is_found;
  void *(*easy_init)(void);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_perform)(void *);
  int (*easy_getinfo)(void *, int, ...);
  void (*easy_cleanup)(void *);
  const char *(*easy_strerror)(int);
  void *(*slist_append)(void *, const char *);
  void (*slist_free_all)(void *);
} curl;

static void find(void) {
  static const char *const names[] = {"libcurl.so.4", "libcurl.4.dylib", "libcurl.dylib"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  int (*global_init)(long) = (int (*)(long))dlsym(library, "curl_global_init");
  curl.easy_init = (void *(*)(void))dlsym(library, "curl_easy_init");
  curl.easy_setopt = (int (*)(void *, int, ...))dlsym(library, "curl_easy_setopt");
  curl.easy_perform = (int (*)(void *))dlsym(library, "curl_easy_perform");
  curl.easy_getinfo = (int (*)(void *, int, ...))dlsym(library, "curl_easy_getinfo");
  curl.easy_cleanup = (void (*)(void *))dlsym(library, "curl_easy_cleanup");
  curl.easy_strerror = (const char *(*)(int))dlsym(library, "curl_easy_strerror");
  curl.slist_append = (void *(*)(void *, const char *))dlsym(library, "curl_slist_append");
  curl.slist_free_all = (void (*)(void *))dlsym(library, "curl_slist_free_all");
  curl.is_found = global_init && curl.easy_init && curl.easy_setopt && curl.easy_perform
      && curl.easy_getinfo && curl.easy_cleanup && curl.easy_strerror && curl.slist_append
      && curl.slist_free_all && global_init(GLOBAL_DEFAULT) == 0;
}

enum { MOST_READ = 65536 };

/* Nobody reads what a webhook answers; after 64 KiB of header or body the transfer is ended. */
static size_t discard(void *bytes, size_t size, size_t count, void *total) {
  (void)bytes;
  *(size_t *)total += size * count;
  return *(size_t *)total > MOST_READ ? 0 : size * count;
}

void ff_curl_post(
    const char *url, const char *pin, const char *const *headers, size_t header_count,
    const void *body, size_t bytes, long timeout_ms, ff_curl_answer *answer) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  memset(answer, 0, sizeof *answer);
  pthread_once(&once, find);
  void *easy = curl.is_found ? curl.easy_init() : NULL;
  if (!easy) {
    snprintf(answer->error, sizeof answer->error, "libcurl (libcurl.so.4) could not be loaded");
    return;
  }
  char message[256] = "";
  size_t total = 0, header = 0;
  void *fields = NULL;
  for (size_t i = 0; i < header_count; i++) fields = curl.slist_append(fields, headers[i]);
  void *pins = pin ? curl.slist_append(NULL, pin) : NULL;
  curl.easy_setopt(easy, OPT_URL, url);
  curl.easy_setopt(easy, OPT_RESOLVE, pins);
  curl.easy_setopt(easy, OPT_PROXY, "");
  curl.easy_setopt(easy, OPT_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
  curl.easy_setopt(easy, OPT_FOLLOWLOCATION, 0L);
  curl.easy_setopt(easy, OPT_NOSIGNAL, 1L);
  curl.easy_setopt(easy, OPT_TIMEOUT_MS, timeout_ms);
  curl.easy_setopt(easy, OPT_CONNECTTIMEOUT_MS, timeout_ms);
  curl.easy_setopt(easy, OPT_HTTPHEADER, fields);
  curl.easy_setopt(easy, OPT_USERAGENT, "Footfall");
  curl.easy_setopt(easy, OPT_POSTFIELDSIZE_LARGE, (long long)bytes);
  curl.easy_setopt(easy, OPT_POSTFIELDS, body);
  curl.easy_setopt(easy, OPT_WRITEFUNCTION, discard);
  curl.easy_setopt(easy, OPT_WRITEDATA, &total);
  curl.easy_setopt(easy, OPT_HEADERFUNCTION, discard);
  curl.easy_setopt(easy, OPT_HEADERDATA, &header);
  curl.easy_setopt(easy, OPT_ERRORBUFFER, message);
  int code = curl.easy_perform(easy);
  curl.easy_getinfo(easy, INFO_RESPONSE_CODE, &answer->status);
  /* Of one line that is too long libcurl itself says that it has no memory for it. */
  int is_header_too_large =
      header > MOST_READ || code == CODE_OUT_OF_MEMORY || code == CODE_TOO_LARGE;
  /* The status came before a body that is too long. */
  if (code != 0 && total <= MOST_READ) {
    answer->status = 0;
    snprintf(answer->error, sizeof answer->error, "%s",
             is_header_too_large ? "the header of its answer is too large: more than 64 KiB"
             : message[0] ? message : curl.easy_strerror(code));
  }
  curl.easy_cleanup(easy);
  curl.slist_free_all(fields);
  curl.slist_free_all(pins);
}
