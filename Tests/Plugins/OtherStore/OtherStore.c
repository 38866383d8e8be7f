// SPDX-License-Identifier: Apache-2.0
//
// A library for stores that was built with some other daemon. Its version is all that may be looked at.

#include <stdint.h>

static const struct {
  uint32_t version;
} table = {.version = 4711};

const void *marbled_store_library(void);

const void *marbled_store_library(void) { return &table; }
