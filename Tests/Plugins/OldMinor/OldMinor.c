// SPDX-License-Identifier: Apache-2.0
//
// A plugin of the first minor version of the boundary, 1.0, as a compiler left it: the tables are copied
// here and not taken from marbled.h, so that this plugin stays as old as it is while the header grows.
// Never change a table in this file: a daemon that cannot load it has broken its promise.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes_1_0 {
  const char *data;
  size_t size;
} bytes_1_0;

typedef struct host_1_0 {
  uint32_t size;
  uint16_t abi_major;
  uint16_t abi_minor;
  int64_t (*now)(void *);
  uint64_t (*schedule)(void *, int64_t, uint32_t, const char *, void (*)(void *), void *);
  bool (*cancel)(void *, uint64_t);
  void (*emit)(void *, uint32_t, uint32_t, bytes_1_0);
  uint64_t (*perform)(
      void *, bytes_1_0, bytes_1_0, void (*)(void *, uint32_t, bytes_1_0), void *);
  bool (*cancel_effect)(void *, uint64_t);
  void (*log)(void *, uint32_t, bytes_1_0);
  void (*fail)(void *, bytes_1_0);
  bool (*post)(void *, void (*)(void *), void *);
  const void *(*capability)(void *, const char *);
  int64_t (*after)(void *, int64_t);
} host_1_0;

typedef struct plugin_1_0 {
  uint32_t size;
  uint16_t abi_major;
  uint16_t abi_minor;
  void *data;
  bytes_1_0 (*describe)(const struct plugin_1_0 *);
  void *(*create)(
      const struct plugin_1_0 *, const host_1_0 *, void *, bytes_1_0, bytes_1_0, bytes_1_0 *);
  bool (*send)(void *, uint32_t, bytes_1_0, bytes_1_0 *);
  void (*destroy)(void *);
} plugin_1_0;

_Static_assert(sizeof(void *) != 8 || sizeof(host_1_0) == 96, "1.0 had a host table of 96 bytes");
_Static_assert(sizeof(void *) != 8 || sizeof(plugin_1_0) == 48, "1.0 had a table of 48 bytes");

static const char description[] =
    "{\"id\":\"old-minor\",\"version\":\"1.0.0\",\"abi\":{\"major\":1,\"minor\":0},\"features\":[{"
    "\"name\":\"old-echo\",\"doc\":\"Says what it heard, a millisecond later.\","
    "\"inputs\":[{\"name\":\"say\",\"doc\":\"What to say.\",\"schema\":true}],"
    "\"outputs\":["
    "{\"name\":\"said\",\"kind\":\"event\",\"doc\":\"What was heard.\",\"schema\":true},"
    "{\"name\":\"drawn\",\"kind\":\"state\",\"doc\":\"The number drawn last.\","
    "\"schema\":{\"type\":\"integer\"}}],"
    "\"options\":{\"schema\":{\"type\":\"object\",\"properties\":{},\"required\":[],"
    "\"additionalProperties\":false},\"defaults\":{}},"
    "\"effects\":[\"random\"]}]}";

typedef struct echo {
  const host_1_0 *host;
  void *instance;
  /// What is said next; a second word takes the place of the first.
  char *word;
  size_t size;
  uint64_t timer;
} echo;

static bytes_1_0 text(const char *string) {
  return (bytes_1_0){.data = string, .size = strlen(string)};
}

static void speak(void *data) {
  echo *const self = data;
  self->timer = 0;
  self->host->emit(self->instance, 0, 0, (bytes_1_0){.data = self->word, .size = self->size});
}

static void drawn(void *data, uint32_t event, bytes_1_0 value) {
  const echo *const self = data;
  if (event == 0) { self->host->emit(self->instance, 1, 0, value); }
}

static bytes_1_0 describe(const plugin_1_0 *plugin) {
  (void)plugin;
  return text(description);
}

static void *create(
    const plugin_1_0 *plugin, const host_1_0 *host, void *instance, bytes_1_0 feature,
    bytes_1_0 options, bytes_1_0 *error) {
  (void)plugin;
  (void)feature;
  (void)options;
  if (host->size < sizeof(host_1_0)) {
    *error = text("the host's table is shorter than that of 1.0");
    return NULL;
  }
  echo *const self = calloc(1, sizeof *self);
  if (self == NULL) {
    *error = text("there is no memory");
    return NULL;
  }
  self->host = host;
  self->instance = instance;
  host->emit(instance, 1, 0, text("0"));
  host->perform(instance, text("random"), text("{\"min\":7,\"max\":7}"), drawn, self);
  return self;
}

static bool send(void *feature, uint32_t input, bytes_1_0 value, bytes_1_0 *error) {
  echo *const self = feature;
  char *const word = input == 0 ? malloc(value.size + 1) : NULL;
  if (word == NULL) {
    *error = text("there is no memory");
    return false;
  }
  memcpy(word, value.data, value.size);
  free(self->word);
  self->word = word;
  self->size = value.size;
  if (self->timer != 0) { self->host->cancel(self->instance, self->timer); }
  const int64_t due = self->host->after(self->instance, 1000000);
  self->timer = self->host->schedule(self->instance, due, 4, "echo", speak, self);
  return true;
}

static void destroy(void *feature) {
  echo *const self = feature;
  free(self->word);
  free(self);
}

const plugin_1_0 *marbled_plugin_v1(void);

const plugin_1_0 *marbled_plugin_v1(void) {
  static const plugin_1_0 table = {
      .size = sizeof(plugin_1_0), .abi_major = 1, .abi_minor = 0, .data = NULL,
      .describe = describe, .create = create, .send = send, .destroy = destroy};
  return &table;
}
