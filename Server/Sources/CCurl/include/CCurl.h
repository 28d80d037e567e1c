/* What Footfall sends to webhooks with: libcurl, looked up when it is first needed. The library is never
   linked: a server without it starts, and says so when something is to be sent. */
#ifndef FOOTFALL_CCURL_H
#define FOOTFALL_CCURL_H
#include <stddef.h>

/* What became of a request. */
typedef struct {
  long status;     /* of the answer; 0 where there was none */
  char error[256]; /* a sentence; empty where an answer came */
} ff_curl_answer;

/* Sends a body by POST and reads the answer's status. Blocks for at most `timeout_ms`.

   `pin` is HOST:PORT:ADDRESS: the only address that the host is looked for at; NULL for a host that is an
   address itself. Redirects are not followed, proxies not used, certificates checked. */
void ff_curl_post(
    const char *url, const char *pin, const char *const *headers, size_t header_count,
    const void *body, size_t bytes, long timeout_ms, ff_curl_answer *answer);
#endif
