// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CBenchmark.h"

#include <sched.h>
#include <stdbool.h>

void marbled_bench_run(marbled_bench_place place) {
    static cpu_set_t all;
    static bool isKnown;
    if (!isKnown && sched_getaffinity(0, sizeof all, &all) != 0) return;
    isKnown = true;
    cpu_set_t chosen = all;
    if (place != MARBLED_BENCH_ANYWHERE) {
        int number = place == MARBLED_BENCH_FIRST_PROCESSOR ? 0 : CPU_SETSIZE - 1;
        int step = place == MARBLED_BENCH_FIRST_PROCESSOR ? 1 : -1;
        while (!CPU_ISSET(number, &all)) number += step;
        CPU_ZERO(&chosen);
        CPU_SET(number, &chosen);
    }
    sched_setaffinity(0, sizeof chosen, &chosen);
}
