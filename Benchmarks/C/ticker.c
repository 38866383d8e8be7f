// SPDX-License-Identifier: Apache-2.0
#include <marbled.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A plugin with as little in it as a plugin can have, so that what is measured is the host.
///
///     tick    0--1--2--3--     every periodNs; none when that is 0
///     say     -----a----b-     any JSON
///     said    -----a----b-     the same bytes
static const char description[] =
    "{\"id\":\"ticker\",\"version\":\"0.1.0\",\"abi\":{\"major\":1,\"minor\":0},\"features\":[{"
    "\"name\":\"ticker\",\"doc\":\"Counts, and repeats what it is told.\","
    "\"inputs\":[{\"name\":\"say\",\"doc\":\"Said again on said.\",\"schema\":true}],"
    "\"outputs\":["
    "{\"name\":\"tick\",\"kind\":\"event\",\"doc\":\"A count.\",\"schema\":{\"type\":\"integer\"}},"
    "{\"name\":\"said\",\"kind\":\"event\",\"doc\":\"What was told.\",\"schema\":true}],"
    "\"options\":{\"schema\":{\"type\":\"object\",\"properties\":{\"periodNs\":{\"type\":\"integer\"}},"
    "\"required\":[],\"additionalProperties\":false},\"defaults\":{\"periodNs\":0}},"
    "\"effects\":[]}]}";

enum { TICK = 0, SAID = 1 };

typedef struct ticker {
    const marbled_host_table *host;
    marbled_instance *instance;
    int64_t period;
    int64_t count;
} ticker;

static void strike(void *data);

static void arm(ticker *self) {
    // From the start, not from the last tick: nothing drifts.
    self->host->schedule(
        self->instance, (self->count + 1) * self->period, MARBLED_PHASE_TIMER, "tick", strike, self);
}

static void strike(void *data) {
    ticker *self = data;
    char digits[24], *end = digits + sizeof digits, *begin = end;
    int64_t rest = self->count++;
    do *--begin = (char)('0' + rest % 10); while ((rest /= 10) > 0);
    arm(self);
    self->host->emit(
        self->instance, TICK, MARBLED_NEXT, (marbled_bytes){begin, (size_t)(end - begin)});
}

static marbled_bytes describe(const marbled_plugin_table *plugin) {
    (void)plugin;
    return (marbled_bytes){description, sizeof description - 1};
}

/// The number behind `"periodNs":`, which the host has checked against the schema; 0 when absent.
static int64_t read_period(marbled_bytes options) {
    static const char key[] = "\"periodNs\":";
    const char *found = options.size ? memmem(options.data, options.size, key, sizeof key - 1) : NULL;
    if (!found) return 0;
    int64_t period = 0;
    for (const char *c = found + sizeof key - 1; c < options.data + options.size; c++) {
        if (*c < '0' || *c > '9') break;
        period = period * 10 + (*c - '0');
    }
    return period;
}

static void *create(
    const marbled_plugin_table *plugin, const marbled_host_table *host, marbled_instance *instance,
    marbled_bytes feature, marbled_bytes options, marbled_bytes *error) {
    (void)plugin, (void)feature;
    ticker *self = malloc(sizeof *self);
    if (!self) {
        *error = (marbled_bytes){"no memory", 9};
        return NULL;
    }
    *self = (ticker){host, instance, read_period(options), 0};
    if (self->period > 0) arm(self);
    return self;
}

static bool send(void *feature, uint32_t input, marbled_bytes value, marbled_bytes *error) {
    (void)input, (void)error;
    ticker *self = feature;
    self->host->emit(self->instance, SAID, MARBLED_NEXT, value);
    return true;
}

static void destroy(void *feature) {
    free(feature);
}

static const marbled_plugin_table table = {
    .size = sizeof table,
    .abi_major = MARBLED_ABI_MAJOR,
    .abi_minor = MARBLED_ABI_MINOR,
    .describe = describe,
    .create = create,
    .send = send,
    .destroy = destroy,
};

const marbled_plugin_table *marbled_plugin_v1(void) {
    return &table;
}
