// SPDX-License-Identifier: Apache-2.0
//
// A plugin that asks what it is told to ask: a value sent to an input goes to the effect of that name as it is,
// and all that is answered comes out as it is, so that a client of the socket can test effects.

#include "Asker.h"

#include <stdlib.h>
#include <string.h>

enum { STORE = 0, HTTP = 1, FEED = 2, INPUTS = 3 };
enum { ANSWER = 0, FAILURE = 1 };

static const char description[] =
    "{\"id\":\"asker\",\"version\":\"1.0.0\",\"abi\":{\"major\":1,\"minor\":0},\"features\":[{"
    "\"name\":\"asker\",\"doc\":\"Asks the world.\","
    "\"inputs\":["
    "{\"name\":\"store\",\"doc\":\"A request to the store.\",\"schema\":true},"
    "{\"name\":\"http\",\"doc\":\"A request to somebody else.\",\"schema\":true},"
    "{\"name\":\"feed\",\"doc\":\"A request to an effect that nobody carries out.\",\"schema\":true}],"
    "\"outputs\":["
    "{\"name\":\"answer\",\"kind\":\"event\",\"doc\":\"What it answered.\",\"schema\":true},"
    "{\"name\":\"failure\",\"kind\":\"event\",\"doc\":\"Why it did not.\",\"schema\":true}],"
    "\"options\":{\"schema\":{\"type\":\"object\",\"properties\":{},\"required\":[],"
    "\"additionalProperties\":false},\"defaults\":{}},"
    "\"effects\":[\"store\",\"http\",\"feed\"]}]}";

static const char *const effects[INPUTS] = {[STORE] = "store", [HTTP] = "http", [FEED] = "feed"};

typedef struct instance {
  const marbled_host_table *host;
  marbled_instance *handle;
} instance;

static marbled_bytes text(const char *string) {
  return (marbled_bytes){.data = string, .size = strlen(string)};
}

static void answered(void *data, uint32_t event, marbled_bytes value) {
  const instance *const self = data;
  if (event == MARBLED_COMPLETED) { return; }
  const uint32_t output = event == MARBLED_NEXT ? ANSWER : FAILURE;
  self->host->emit(self->handle, output, MARBLED_NEXT, value);
}

static marbled_bytes describe(const marbled_plugin_table *plugin) {
  (void)plugin;
  return text(description);
}

static void *create(
    const marbled_plugin_table *plugin, const marbled_host_table *host, marbled_instance *handle,
    marbled_bytes feature, marbled_bytes options, marbled_bytes *error) {
  (void)plugin;
  (void)feature;
  (void)options;
  instance *const self = calloc(1, sizeof *self);
  if (self == NULL) {
    *error = text("there is no memory");
    return NULL;
  }
  self->host = host;
  self->handle = handle;
  return self;
}

static bool send(void *feature, uint32_t input, marbled_bytes value, marbled_bytes *error) {
  instance *const self = feature;
  (void)error;
  if (input >= INPUTS) { return false; }
  self->host->perform(self->handle, text(effects[input]), value, answered, self);
  return true;
}

static void destroy(void *feature) { free(feature); }

const marbled_plugin_table *marbled_plugin_v1(void) {
  static const marbled_plugin_table table = {
      .size = sizeof(marbled_plugin_table), .abi_major = MARBLED_ABI_MAJOR,
      .abi_minor = MARBLED_ABI_MINOR, .data = NULL, .describe = describe, .create = create,
      .send = send, .destroy = destroy};
  return &table;
}
