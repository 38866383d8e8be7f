// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// How many times this process asked for memory so far: malloc and its relatives are replaced by
/// functions that count and hand over. Meant for one thread.
uint64_t marbled_bench_allocations(void);

/// Takes a result that nobody needs, so that the compiler cannot leave out the work behind it.
void marbled_bench_keep(int64_t value);

/// Where this process, and what it starts from now on, may run.
typedef enum marbled_bench_place {
    MARBLED_BENCH_ANYWHERE,
    MARBLED_BENCH_FIRST_PROCESSOR,
    MARBLED_BENCH_LAST_PROCESSOR,
} marbled_bench_place;

/// Moves it there, of the processors that it had at the first call.
void marbled_bench_run(marbled_bench_place place);
