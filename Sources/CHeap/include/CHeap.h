// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

/// How many bytes the C allocator has given out and not taken back; 0 where it does not tell.
size_t marbled_heap_bytes(void);
