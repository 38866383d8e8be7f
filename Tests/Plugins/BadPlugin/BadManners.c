// SPDX-License-Identifier: Apache-2.0
//
// Further entries of this library, for tests of the conformance check: plugins that load, and each breaks one
// promise of the boundary.

#include "BadPlugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUDGE = 0 };
enum { COUNT = 0 };

#define DESCRIPTION(id, doc, options)                                                             \
  "{\"id\":\"" id "\",\"version\":\"1.0.0\",\"abi\":{\"major\":1,\"minor\":0},\"features\":[{"     \
  "\"name\":\"rude\",\"doc\":\"" doc "\","                                                        \
  "\"inputs\":[{\"name\":\"nudge\",\"doc\":\"One more.\",\"schema\":{\"type\":\"integer\"}}],"    \
  "\"outputs\":[{\"name\":\"count\",\"kind\":\"state\",\"doc\":\"How many.\","                    \
  "\"schema\":{\"type\":\"integer\"}}]," options ",\"effects\":[\"http\"]}]}"

#define NO_OPTIONS                                                                               \
  "\"options\":{\"schema\":{\"type\":\"object\",\"properties\":{},\"required\":[],"               \
  "\"additionalProperties\":false},\"defaults\":{}}"

/// Which promise an instance breaks.
typedef enum manner {
  POLITE,
  SILENT,
  UNWILLING,
  FORGETFUL,
  LEAKY,
  LATE,
  HASTY,
  WRONG_TYPE,
  FAILING,
  CRASHING,
  CRASHING_AT_THE_END,
} manner;

typedef struct rude {
  const marbled_host_table *host;
  marbled_instance *instance;
  manner manner;
  int64_t count;
} rude;

/// What a plugin must not have: something that outlives its instances.
static int64_t count_of_all;
static const marbled_host_table *last_host;
static marbled_instance *last_instance;

static marbled_bytes text(const char *string) {
  return (marbled_bytes){.data = string, .size = strlen(string)};
}

static void say(const rude *self, const char *json) {
  self->host->emit(self->instance, COUNT, MARBLED_NEXT, text(json));
}

static void say_count(const rude *self) {
  char json[24];
  snprintf(json, sizeof json, "%lld", (long long)self->count);
  say(self, json);
}

static void crash(void) {
  volatile int *const nowhere = NULL;
  *nowhere = 1;
}

static void ignore(void *data, uint32_t event, marbled_bytes value) {
  (void)data;
  (void)event;
  (void)value;
}

static void *create(
    manner manner, const marbled_host_table *host, marbled_instance *instance,
    marbled_bytes *error) {
  if (manner == UNWILLING) {
    *error = text("it takes more than its defaults");
    return NULL;
  }
  if (manner == LATE && last_instance != NULL && last_instance != instance) {
    last_host->emit(last_instance, COUNT, MARBLED_NEXT, text("1"));
  }
  rude *const self = calloc(1, sizeof *self);
  self->host = host;
  self->instance = instance;
  self->manner = manner;
  last_host = host;
  last_instance = instance;
  if (manner != SILENT) { say_count(self); }
  host->perform(instance, text("http"), text("{\"url\":\"x\"}"), ignore, self);
  return self;
}

static bool send(void *feature, uint32_t input, marbled_bytes value, marbled_bytes *error) {
  rude *const self = feature;
  if (input != NUDGE) { return false; }
  self->count += 1;
  count_of_all += 1;
  const bool is_later = self->count > 3;
  switch (self->manner) {
  case FORGETFUL: self->count = count_of_all; break;
  case HASTY:
    if (value.size > 1) {
      say_count(self);
      *error = text("too long");
      return false;
    }
    break;
  case WRONG_TYPE:
    if (is_later) {
      say(self, "\"many\"");
      return true;
    }
    break;
  case FAILING:
    if (is_later) { self->host->fail(self->instance, text("it had enough")); }
    break;
  case CRASHING:
    if (is_later) { crash(); }
    break;
  default: break;
  }
  say_count(self);
  return true;
}

static void destroy(void *feature) {
  rude *const self = feature;
  if (self->manner == CRASHING_AT_THE_END && self->count > 0) { crash(); }
  if (self->manner != LEAKY) { free(self); }
}

#define RUDE(name, manner_, description_)                                                        \
  static marbled_bytes name##_describe(const marbled_plugin_table *plugin) {                     \
    (void)plugin;                                                                                \
    return text(description_);                                                                   \
  }                                                                                              \
  static void *name##_create(                                                                    \
      const marbled_plugin_table *plugin, const marbled_host_table *host,                        \
      marbled_instance *instance, marbled_bytes feature, marbled_bytes options,                  \
      marbled_bytes *error) {                                                                    \
    (void)plugin;                                                                                \
    (void)feature;                                                                               \
    (void)options;                                                                               \
    return create(manner_, host, instance, error);                                               \
  }                                                                                              \
  const marbled_plugin_table *name(void) {                                                       \
    static const marbled_plugin_table table = {                                                  \
        .size = sizeof(marbled_plugin_table),                                                    \
        .abi_major = MARBLED_ABI_MAJOR,                                                          \
        .abi_minor = MARBLED_ABI_MINOR,                                                          \
        .data = NULL,                                                                            \
        .describe = name##_describe,                                                             \
        .create = name##_create,                                                                 \
        .send = send,                                                                            \
        .destroy = destroy};                                                                     \
    return &table;                                                                               \
  }

RUDE(rude_not_at_all, POLITE, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_silent, SILENT, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_unwilling, UNWILLING, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_forgetful, FORGETFUL, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_leaky, LEAKY, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_late, LATE, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_hasty, HASTY, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_wrong_type, WRONG_TYPE, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_failing, FAILING, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_crashing, CRASHING, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_crashing_at_the_end, CRASHING_AT_THE_END, DESCRIPTION("rude", "Counts.", NO_OPTIONS))
RUDE(rude_undocumented, POLITE, DESCRIPTION("rude", "", NO_OPTIONS))
RUDE(rude_misnamed, POLITE, DESCRIPTION("Rude One", "Counts.", NO_OPTIONS))
RUDE(
    rude_takes_anything, POLITE,
    DESCRIPTION(
        "rude", "Counts.",
        "\"options\":{\"schema\":{\"type\":\"object\",\"properties\":{},\"required\":[]},"
        "\"defaults\":{}}"))
RUDE(
    rude_no_default, POLITE,
    DESCRIPTION(
        "rude", "Counts.",
        "\"options\":{\"schema\":{\"type\":\"object\",\"properties\":{\"pace\":{\"type\":"
        "\"integer\"}},\"required\":[],\"additionalProperties\":false},\"defaults\":{}}"))
