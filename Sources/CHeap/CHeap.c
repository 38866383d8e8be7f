// SPDX-License-Identifier: Apache-2.0

#include "CHeap.h"

#include <malloc.h>

size_t marbled_heap_bytes(void) {
#if defined(__GLIBC__)
  const struct mallinfo2 info = mallinfo2();
  // Large blocks are mapped one by one and counted apart.
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}
