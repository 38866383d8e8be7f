// SPDX-License-Identifier: Apache-2.0
//
// A plugin that makes the mistakes a plugin can make, one at a time, so that tests see what the host does
// about each. A mistake is chosen by name: by the option "misbehave", made in `create`, in a timer or in
// an effect's answer as the option "when" says, or by the value of the input "poke".
//
// It keeps one rule of its own: whatever it is told, it touches no memory that is not its own.

#include "BadPlugin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POKE = 0 };
enum { SAID = 0, STATE = 1 };

static const char description[] =
    "{\"id\":\"bad-plugin\",\"version\":\"1.0.0\",\"abi\":{\"major\":1,\"minor\":0},\"features\":[{"
    "\"name\":\"misbehaving\",\"doc\":\"Makes mistakes.\","
    "\"inputs\":[{\"name\":\"poke\",\"doc\":\"Which mistake to make.\",\"schema\":true}],"
    "\"outputs\":["
    "{\"name\":\"said\",\"kind\":\"event\",\"doc\":\"What it says.\",\"schema\":true},"
    "{\"name\":\"state\",\"kind\":\"state\",\"doc\":\"How often it was poked.\",\"schema\":"
    "{\"type\":\"integer\"}}],"
    "\"options\":{\"schema\":{\"type\":\"object\",\"properties\":{"
    "\"misbehave\":{\"type\":\"string\"},\"when\":{\"enum\":[\"create\",\"timer\",\"answer\"]}},"
    "\"required\":[],\"additionalProperties\":false},\"defaults\":{}},"
    "\"effects\":[\"random\",\"http\"]}]}";

typedef struct instance {
  const marbled_host_table *host;
  marbled_instance *handle;
  char mistake[64];
  int64_t pokes;
  bool speaks_in_destroy;
  bool has_thread;
  pthread_t thread;
  atomic_bool is_ending;
  atomic_int posted;
} instance;

/// The handle of the instance that was destroyed last on this thread.
static _Thread_local marbled_instance *stale_handle;

// MARK: Helpers

static marbled_bytes text(const char *string) {
  return (marbled_bytes){.data = string, .size = strlen(string)};
}

static void say(const instance *self, const char *json) {
  self->host->emit(self->handle, SAID, MARBLED_NEXT, text(json));
}

/// Copies the text of a string member, or of the whole value when `name` is null.
static void read_word(marbled_bytes json, const char *name, char *word, size_t room) {
  word[0] = '\0';
  const char *p = json.data;
  const char *const end = json.data + json.size;
  if (name != NULL) {
    const size_t length = strlen(name);
    while (p < end && ((size_t)(end - p) < length || memcmp(p, name, length) != 0)) { p += 1; }
    p += p < end ? length : 0;
  }
  while (p < end && *p != '"') { p += 1; }
  size_t count = 0;
  for (p += p < end; p < end && *p != '"' && count + 1 < room; p += 1) { word[count++] = *p; }
  word[count] = '\0';
}

static bool is(const char *mistake, const char *name) { return strcmp(mistake, name) == 0; }

static int64_t real_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// MARK: Callbacks

static void do_nothing(void *data) { (void)data; }

static void ignore_answer(void *data, uint32_t event, marbled_bytes value) {
  (void)data;
  (void)event;
  (void)value;
}

static void again(void *data) {
  const instance *const self = data;
  const int64_t now = self->host->now(self->handle);
  self->host->schedule(self->handle, now, MARBLED_PHASE_TIMER, "never-ending", again, data);
}

static void say_late(void *data) { say(data, "\"late\""); }

static void say_posted(void *data) {
  instance *const self = data;
  say(self, "\"posted\"");
}

/// Posts until the instance ends, and a little longer: `destroy` waits for it.
static void *post_from_a_thread(void *data) {
  instance *const self = data;
  for (int count = 0; count < 100; count += 1) {
    if (self->host->post(self->handle, say_posted, self)) { atomic_fetch_add(&self->posted, 1); }
  }
  while (!atomic_load(&self->is_ending)) {}
  for (int count = 0; count < 100; count += 1) {
    (void)self->host->post(self->handle, say_posted, self);
  }
  return NULL;
}

// MARK: Mistakes

/// Calls everything with the handle of an instance that is gone and says what came back.
static void use_the_stale_handle(const instance *self) {
  const marbled_host_table *const host = self->host;
  marbled_instance *const gone = stale_handle;
  if (gone == NULL) { return say(self, "\"nothing is gone\""); }
  host->emit(gone, SAID, MARBLED_NEXT, text("\"from beyond\""));
  host->log(gone, MARBLED_LOG_ERROR, text("from beyond"));
  host->fail(gone, text("from beyond"));
  char json[256];
  snprintf(
      json, sizeof json, "[%lld,%llu,%d,%llu,%d,%lld,%d]", (long long)host->now(gone),
      (unsigned long long)host->schedule(
          gone, 0, MARBLED_PHASE_TIMER, "beyond", do_nothing, NULL),
      (int)host->cancel(gone, 1),
      (unsigned long long)host->perform(gone, text("random"), text("{}"), ignore_answer, NULL),
      (int)host->cancel_effect(gone, 1), (long long)host->after(gone, 5),
      (int)(host->capability(gone, "any") != NULL));
  say(self, json);
}

static void be_slow(const instance *self) {
  volatile uint64_t work = 0;
  const int64_t end = real_ns() + 80000000;
  while (real_ns() < end) { work += 1; }
  say(self, "\"slow\"");
}

static void say_a_lot(const instance *self) {
  const size_t size = 1 << 20;
  char *const json = malloc(size);
  memset(json, 'x', size);
  json[0] = '"';
  json[size - 1] = '"';
  self->host->emit(self->handle, SAID, MARBLED_NEXT, (marbled_bytes){.data = json, .size = size});
  free(json);
}

static void flood(instance *self, bool timers) {
  uint64_t token = 1;
  while (token != 0) {
    token = timers
        ? self->host->schedule(
              self->handle, INT64_MAX, MARBLED_PHASE_TIMER, "flood", say_late, self)
        : self->host->perform(
              self->handle, text("http"), text("{\"url\":\"x\"}"), ignore_answer, NULL);
  }
}

static void ask_under_many_names(const instance *self) {
  for (int number = 0; number < 300; number += 1) {
    char name[16];
    snprintf(name, sizeof name, "effect%d", number);
    self->host->perform(self->handle, text(name), text("{}"), ignore_answer, NULL);
  }
}

static void misbehave(instance *self, const char *mistake) {
  const marbled_host_table *const host = self->host;
  marbled_instance *const handle = self->handle;
  if (is(mistake, "unknownOutput")) {
    host->emit(handle, 7, MARBLED_NEXT, text("1"));
  } else if (is(mistake, "badJSON")) {
    say(self, "{\"a\":");
  } else if (is(mistake, "badNumber")) {
    say(self, "007");
  } else if (is(mistake, "emptyValue")) {
    say(self, "");
  } else if (is(mistake, "nullValue")) {
    host->emit(handle, SAID, MARBLED_NEXT, (marbled_bytes){.data = NULL, .size = 12});
  } else if (is(mistake, "afterCompletion")) {
    host->emit(handle, SAID, MARBLED_COMPLETED, text(""));
    say(self, "1");
  } else if (is(mistake, "afterError")) {
    host->emit(handle, SAID, MARBLED_ERROR, text("\"broken\""));
    say(self, "1");
  } else if (is(mistake, "completionWithValue")) {
    host->emit(handle, SAID, MARBLED_COMPLETED, text("1"));
  } else if (is(mistake, "unknownEvent")) {
    host->emit(handle, SAID, 9, text("1"));
  } else if (is(mistake, "unknownPhase")) {
    host->schedule(handle, 0, 99, "unknown phase", say_late, self);
  } else if (is(mistake, "badRequest")) {
    host->perform(handle, text("http"), text("{"), ignore_answer, NULL);
  } else if (is(mistake, "longEffectName")) {
    char name[300];
    memset(name, 'e', sizeof name);
    host->perform(
        handle, (marbled_bytes){.data = name, .size = sizeof name}, text("{}"), ignore_answer, NULL);
  } else if (is(mistake, "manyEffectNames")) {
    ask_under_many_names(self);
  } else if (is(mistake, "fail")) {
    host->fail(handle, text("it had enough"));
    // What comes after is not heard.
    say(self, "1");
    host->schedule(handle, 0, MARBLED_PHASE_TIMER, "after the end", say_late, self);
  } else if (is(mistake, "failSilently")) {
    host->fail(handle, text(""));
  } else if (is(mistake, "timerThenFail")) {
    host->schedule(handle, 0, MARBLED_PHASE_TIMER, "late", say_late, self);
    host->fail(handle, text("it had enough"));
  } else if (is(mistake, "slow")) {
    be_slow(self);
  } else if (is(mistake, "floodTimers")) {
    flood(self, true);
  } else if (is(mistake, "floodEffects")) {
    flood(self, false);
  } else if (is(mistake, "neverEnding")) {
    again(self);
  } else if (is(mistake, "huge")) {
    say_a_lot(self);
  } else if (is(mistake, "lines")) {
    say(self, "[1,\n2,\r\n\"a\\nb\"]");
  } else if (is(mistake, "blanks")) {
    say(self, "\n\t [1, 2] \r");
    say(self, "3 ");
  } else if (is(mistake, "logLines")) {
    host->log(handle, 77, text("two\nlines"));
  } else if (is(mistake, "stale")) {
    use_the_stale_handle(self);
  } else if (is(mistake, "cancelNothing")) {
    const bool cancelled = host->cancel(handle, 123456) || host->cancel_effect(handle, 123456);
    say(self, cancelled ? "true" : "false");
  } else if (is(mistake, "speakInDestroy")) {
    self->speaks_in_destroy = true;
  } else if (is(mistake, "thread")) {
    self->has_thread = pthread_create(&self->thread, NULL, post_from_a_thread, self) == 0;
  }
}

static void misbehave_later(void *data) {
  instance *const self = data;
  misbehave(self, self->mistake);
}

static void misbehave_in_answer(void *data, uint32_t event, marbled_bytes value) {
  (void)value;
  if (event == MARBLED_NEXT) { misbehave_later(data); }
}

// MARK: The table

static marbled_bytes describe(const marbled_plugin_table *plugin) {
  (void)plugin;
  return text(description);
}

static void *create(
    const marbled_plugin_table *plugin, const marbled_host_table *host, marbled_instance *handle,
    marbled_bytes feature, marbled_bytes options, marbled_bytes *error) {
  (void)plugin;
  (void)feature;
  instance *const self = calloc(1, sizeof *self);
  self->host = host;
  self->handle = handle;
  char when[16];
  read_word(options, "\"misbehave\":", self->mistake, sizeof self->mistake);
  read_word(options, "\"when\":", when, sizeof when);
  if (is(self->mistake, "refuse") || is(self->mistake, "failAndRefuse")) {
    *error = text("it does not feel like it");
  }
  if (is(self->mistake, "failAndRefuse")) { host->fail(handle, text("it cannot start")); }
  if (is(self->mistake, "refuse") || is(self->mistake, "refuseSilently") ||
      is(self->mistake, "failAndRefuse")) {
    host->schedule(handle, 0, MARBLED_PHASE_TIMER, "never runs", say_late, self);
    free(self);
    return NULL;
  }
  host->emit(handle, STATE, MARBLED_NEXT, text("0"));
  if (is(when, "timer")) {
    host->schedule(handle, 1000000, MARBLED_PHASE_TIMER, "mistake", misbehave_later, self);
  } else if (is(when, "answer")) {
    host->perform(
        handle, text("random"), text("{\"min\":1,\"max\":1}"), misbehave_in_answer, self);
  } else {
    misbehave(self, self->mistake);
  }
  return self;
}

static bool send(void *feature, uint32_t input, marbled_bytes value, marbled_bytes *error) {
  instance *const self = feature;
  if (input != POKE) { return false; }
  char mistake[64];
  read_word(value, NULL, mistake, sizeof mistake);
  if (is(mistake, "refuse")) { *error = text("not this value"); }
  if (is(mistake, "refuse") || is(mistake, "refuseSilently")) { return false; }
  self->pokes += 1;
  char json[32];
  snprintf(json, sizeof json, "%lld", (long long)self->pokes);
  self->host->emit(self->handle, STATE, MARBLED_NEXT, text(json));
  misbehave(self, mistake);
  return true;
}

static void destroy(void *feature) {
  instance *const self = feature;
  atomic_store(&self->is_ending, true);
  if (self->has_thread) { pthread_join(self->thread, NULL); }
  if (self->speaks_in_destroy) {
    say(self, "\"last words\"");
    self->host->fail(self->handle, text("in destroy"));
    self->host->schedule(self->handle, 0, MARBLED_PHASE_TIMER, "last", say_late, self);
    self->host->perform(self->handle, text("random"), text("{}"), ignore_answer, NULL);
  }
  stale_handle = self->handle;
  free(self);
}

#define TABLE(...)                                                                          \
  {                                                                                         \
    .size = sizeof(marbled_plugin_table), .abi_major = MARBLED_ABI_MAJOR,                   \
    .abi_minor = MARBLED_ABI_MINOR, .data = NULL, .describe = describe, .create = create,   \
    .send = send, .destroy = destroy, __VA_ARGS__                                           \
  }

const marbled_plugin_table *marbled_plugin_v1(void) {
  static const marbled_plugin_table table = TABLE();
  return &table;
}

// MARK: Entries that are refused

// A later member overrides what the macro says; that is its purpose here.
#pragma clang diagnostic ignored "-Winitializer-overrides"
#pragma clang diagnostic ignored "-Wnonnull"

static marbled_bytes describe_no_json(const marbled_plugin_table *plugin) {
  (void)plugin;
  return text("a plugin that makes mistakes");
}

static marbled_bytes describe_no_manifest(const marbled_plugin_table *plugin) {
  (void)plugin;
  return text("{\"id\":\"bad-plugin\"}");
}

#define ENTRY(name, ...)                                        \
  const marbled_plugin_table *name(void) {                      \
    static const marbled_plugin_table table = TABLE(__VA_ARGS__); \
    return &table;                                              \
  }

const marbled_plugin_table *bad_no_table(void) { return NULL; }
ENTRY(bad_short_table, .size = offsetof(marbled_plugin_table, destroy))
ENTRY(bad_wrong_major, .abi_major = 2)
ENTRY(bad_null_describe, .describe = NULL)
ENTRY(bad_null_create, .create = NULL)
ENTRY(bad_null_send, .send = NULL)
ENTRY(bad_null_destroy, .destroy = NULL)
ENTRY(bad_not_json, .describe = describe_no_json)
ENTRY(bad_not_a_manifest, .describe = describe_no_manifest)

/// Shorter than the fields that say its version: nothing behind its size may be read.
const marbled_plugin_table *bad_tiny_table(void) {
  static const uint32_t size = sizeof size;
  return (const marbled_plugin_table *)(const void *)&size;
}

// MARK: Entries that are accepted

ENTRY(good_newer_minor, .abi_minor = 99)

/// What a plugin of a later minor hands out: its table goes on where ours ends.
const marbled_plugin_table *good_longer_table(void) {
  static const struct {
    marbled_plugin_table known;
    void *unknown[4];
  } table = {.known = TABLE(.size = sizeof table, .abi_minor = 7)};
  return &table.known;
}
