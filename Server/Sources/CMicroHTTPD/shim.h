#ifndef FOOTFALL_CMICROHTTPD_H
#define FOOTFALL_CMICROHTTPD_H
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <microhttpd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
#include <linux/filter.h>
#endif

/* Lets the allocator keep up to a megabyte of what is freed at a heap's end, and take larger requests' buffers
   from the heap. By default a request's record, freed by another thread than took it, goes back to the system
   at once, and the next one pays for the same pages again. Both are set, since either alone stops the library
   from adapting the other. */
static inline void footfall_keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

/* What a daemon is started with: the library's own call is variadic, which Swift does not import. */
struct footfall_mhd_options {
  int listen_socket;          /* bound and listening; the daemon owns it from then on */
  unsigned int threads;
  unsigned int connections;   /* over all threads */
  unsigned int idle_seconds;  /* restarts with every byte */
  size_t connection_memory;   /* bytes per connection for the header and pieces of the body */
  void *context;              /* handed to every callback */
  void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback request;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  MHD_AcceptPolicyCallback accept;   /* whether a connection is taken at all */
  void (*log)(void *context, const char *line);
};

static void footfall_mhd_log(void *options, const char *format, va_list arguments) {
  const struct footfall_mhd_options *o = (const struct footfall_mhd_options *)options;
  char line[512];
  if (vsnprintf(line, sizeof line, format, arguments) > 0) o->log(o->context, line);
}

/* Starts a daemon; NULL with errno on failure. `o` must live as long as the daemon. */
static inline struct MHD_Daemon *footfall_mhd_start(struct footfall_mhd_options *o) {
  unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
#ifdef __linux__
  flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
#endif
  return MHD_start_daemon(
      flags, 0, o->accept, o->context, o->request, o->context,
      MHD_OPTION_EXTERNAL_LOGGER, footfall_mhd_log, (void *)o,
      MHD_OPTION_LISTEN_SOCKET, o->listen_socket,
      MHD_OPTION_THREAD_POOL_SIZE, o->threads,
      MHD_OPTION_CONNECTION_LIMIT, o->connections,
      MHD_OPTION_CONNECTION_TIMEOUT, o->idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->connection_memory,
      MHD_OPTION_URI_LOG_CALLBACK, o->request_line, o->context,
      MHD_OPTION_NOTIFY_COMPLETED, o->completed, o->context,
      MHD_OPTION_NOTIFY_CONNECTION, o->connection, o->context,
      MHD_OPTION_END);
}

/* Lets nobody new connect to a listening socket, while those who have can still be accepted: on Linux a
   filter drops what opens a connection (SYN without ACK, in byte 13 of the header). Closing the socket would
   reset those who wait to be accepted. Whoever is dropped asks again after a second. */
static inline void footfall_end_handshakes(int listening) {
#ifdef __linux__
  struct sock_filter code[] = {
    BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x12),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x02, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, 0),
    BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
  };
  struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
  (void)setsockopt(listening, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
#else
  (void)listening;
#endif
}

/* A response over bytes that are copied. */
static inline struct MHD_Response *footfall_mhd_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(
      count, (void *)(uintptr_t)bytes, count == 0 ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);
}

/* Facts about a connection; the library's own call is variadic. */
static inline int footfall_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
static inline const struct sockaddr *footfall_mhd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}
static inline void *footfall_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}
static inline unsigned int footfall_mhd_status(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
  return info ? info->http_status : 0;
}

/* What a content reader returns at the end of a stream and for one that is cut off. */
static const ssize_t footfall_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t footfall_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;
static const uint64_t footfall_mhd_size_unknown = MHD_SIZE_UNKNOWN;
#endif
