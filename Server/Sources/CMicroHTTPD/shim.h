#ifndef FOOTFALL_CMICROHTTPD_H
#define FOOTFALL_CMICROHTTPD_H
#include <stdarg.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <microhttpd.h>
#endif
