// SPDX-License-Identifier: Apache-2.0
//
// A counter: it is told what to add, or counts by itself on the instance's timeline, and keeps its value
// in the store. Written in C11 against marbled.h and nothing else.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

/// The ports, in the order of the description.
enum { ADD = 0, RESET = 1, TICK = 2 };
enum { COUNT = 0, FAILURE = 1 };

static const char description[] =
    "{\"id\":\"counter\",\"version\":\"0.1.0\",\"abi\":{\"major\":1,\"minor\":0},\"features\":[{"
    "\"name\":\"counter\",\"doc\":\"Counts, by hand or by the clock.\","
    "\"inputs\":["
    "{\"name\":\"add\",\"doc\":\"What to add; below zero to take away.\","
    "\"schema\":{\"type\":\"integer\"}},"
    "{\"name\":\"reset\",\"doc\":\"Back to zero.\",\"schema\":{\"type\":\"null\"}},"
    "{\"name\":\"tick\",\"doc\":\"Begins to count by the clock, or ends that.\","
    "\"schema\":{\"enum\":[\"start\",\"stop\"]}}],"
    "\"outputs\":["
    "{\"name\":\"count\",\"kind\":\"state\",\"doc\":\"The count.\","
    "\"schema\":{\"type\":\"integer\"}},"
    "{\"name\":\"error\",\"kind\":\"event\",\"doc\":\"What went wrong; counting goes on.\","
    "\"schema\":{\"enum\":[\"overflow\",\"randomFailed\",\"storeFailed\"]}}],"
    "\"options\":{\"schema\":{\"type\":\"object\",\"properties\":{"
    "\"start\":{\"type\":\"integer\"},"
    "\"limit\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":9007199254740991},"
    "\"every_ms\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":86400000},"
    "\"step\":{\"enum\":[\"one\",\"random\"]}},"
    "\"required\":[],\"additionalProperties\":false},"
    "\"defaults\":{\"start\":0,\"limit\":1000000,\"every_ms\":1000,\"step\":\"one\"}},"
    "\"effects\":[\"random\",\"store\"]}]}";

/// One running counter. The host's callbacks are given its address and stop before it is freed.
typedef struct counter {
  const marbled_host_table *host;
  marbled_instance *instance;
  counter_options options;
  int64_t count;
  /// The next tick, or 0 while it does not tick.
  uint64_t timer;
  /// The draw of a step that is on its way, or 0. A tick that finds one asks for no second.
  uint64_t draw;
  /// The request to the store that is on its way, or 0: never more than one.
  uint64_t request;
  /// Whether the count has changed since it was last handed to the store, or given by it.
  bool is_dirty;
} counter;

static marbled_bytes text(const char *string) {
  return (marbled_bytes){.data = string, .size = strlen(string)};
}

// MARK: Saying

static void say_count(const counter *self) {
  char json[24];
  snprintf(json, sizeof json, "%" PRId64, self->count);
  self->host->emit(self->instance, COUNT, MARBLED_NEXT, text(json));
}

static void say_failure(const counter *self, const char *json) {
  self->host->emit(self->instance, FAILURE, MARBLED_NEXT, text(json));
}

static bool is_within_limit(const counter *self, int64_t count) {
  return count <= self->options.limit && count >= -self->options.limit;
}

// MARK: The store

static void stored(void *data, uint32_t event, marbled_bytes value);

/// Hands the count to the store, unless a request is on its way: then that one's end does.
static void store(counter *self) {
  if (!self->is_dirty || self->request != 0) { return; }
  self->is_dirty = false;
  char json[64];
  snprintf(json, sizeof json, "{\"set\":\"count\",\"value\":%" PRId64 "}", self->count);
  self->request = self->host->perform(self->instance, text("store"), text(json), stored, self);
}

static void stored(void *data, uint32_t event, marbled_bytes value) {
  counter *const self = data;
  (void)value;
  if (event == MARBLED_NEXT) { return; }
  self->request = 0;
  if (event == MARBLED_ERROR) { say_failure(self, "\"storeFailed\""); }
  store(self);
}

/// What an earlier counter left, or null. It counts only if nothing was counted meanwhile.
static void restored(void *data, uint32_t event, marbled_bytes value) {
  counter *const self = data;
  int64_t count = 0;
  if (event == MARBLED_NEXT) {
    if (self->is_dirty || !counter_read_integer(value, &count) || !is_within_limit(self, count)) {
      return;
    }
    self->count = count;
    say_count(self);
    return;
  }
  self->request = 0;
  if (event == MARBLED_ERROR) { say_failure(self, "\"storeFailed\""); }
  store(self);
}

// MARK: Counting

static void set_count(counter *self, int64_t count) {
  self->count = count;
  self->is_dirty = true;
  say_count(self);
  store(self);
}

static void add(counter *self, int64_t number) {
  // The count lies within 2^53, so neither side of the comparison can overflow.
  const int64_t room_above = self->options.limit - self->count;
  const int64_t room_below = -self->options.limit - self->count;
  if (number > room_above || number < room_below) {
    say_failure(self, "\"overflow\"");
    return;
  }
  set_count(self, self->count + number);
}

static void drawn(void *data, uint32_t event, marbled_bytes value) {
  counter *const self = data;
  int64_t step = 0;
  if (event == MARBLED_NEXT && counter_read_integer(value, &step)) {
    add(self, step);
    return;
  }
  if (event != MARBLED_COMPLETED) { say_failure(self, "\"randomFailed\""); }
  if (event != MARBLED_NEXT) { self->draw = 0; }
}

static void schedule_tick(counter *self);

static void tick(void *data) {
  counter *const self = data;
  // First, so that the period is kept whatever this tick does.
  schedule_tick(self);
  if (!self->options.draws) {
    add(self, 1);
  } else if (self->draw == 0) {
    self->draw = self->host->perform(
        self->instance, text("random"), text("{\"min\":1,\"max\":6}"), drawn, self);
  }
}

static void schedule_tick(counter *self) {
  const int64_t due = self->host->after(self->instance, self->options.every_ms * 1000000);
  self->timer = self->host->schedule(
      self->instance, due, MARBLED_PHASE_TIMER, "counter tick", tick, self);
}

static void stop_ticking(counter *self) {
  if (self->timer != 0) { self->host->cancel(self->instance, self->timer); }
  if (self->draw != 0) { self->host->cancel_effect(self->instance, self->draw); }
  self->timer = 0;
  self->draw = 0;
}

// MARK: The table

static marbled_bytes describe(const marbled_plugin_table *plugin) {
  (void)plugin;
  return (marbled_bytes){.data = description, .size = sizeof description - 1};
}

static void *create(
    const marbled_plugin_table *plugin, const marbled_host_table *host,
    marbled_instance *instance, marbled_bytes feature, marbled_bytes options,
    marbled_bytes *error) {
  (void)plugin;
  // The one feature of this plugin; the host asks for no other.
  (void)feature;
  counter *const self = calloc(1, sizeof *self);
  if (self == NULL) {
    *error = text("there is no memory for another counter");
    return NULL;
  }
  const char *const refusal = counter_read_options(options, &self->options);
  if (refusal != NULL) {
    *error = text(refusal);
    free(self);
    return NULL;
  }
  self->host = host;
  self->instance = instance;
  self->count = self->options.start;
  say_count(self);
  self->request =
      host->perform(instance, text("store"), text("{\"get\":\"count\"}"), restored, self);
  return self;
}

static bool send(void *feature, uint32_t input, marbled_bytes value, marbled_bytes *error) {
  counter *const self = feature;
  int64_t number = 0;
  switch (input) {
  case ADD:
    if (!counter_read_integer(value, &number)) {
      *error = text("add takes a whole number written without a point or an exponent");
      return false;
    }
    add(self, number);
    return true;
  case RESET:
    set_count(self, 0);
    return true;
  case TICK:
    if (value.size == sizeof "\"stop\"" - 1 && memcmp(value.data, "\"stop\"", value.size) == 0) {
      stop_ticking(self);
    } else if (self->timer == 0) {
      schedule_tick(self);
    }
    return true;
  default:
    *error = text("a counter has the inputs add, reset and tick");
    return false;
  }
}

static void destroy(void *feature) {
  counter *const self = feature;
  stop_ticking(self);
  if (self->request != 0) { self->host->cancel_effect(self->instance, self->request); }
  free(self);
}

const marbled_plugin_table *marbled_plugin_v1(void) {
  static const marbled_plugin_table table = {
      .size = sizeof(marbled_plugin_table),
      .abi_major = MARBLED_ABI_MAJOR,
      .abi_minor = MARBLED_ABI_MINOR,
      .data = NULL,
      .describe = describe,
      .create = create,
      .send = send,
      .destroy = destroy,
  };
  return &table;
}
