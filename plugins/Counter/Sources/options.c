// SPDX-License-Identifier: Apache-2.0

#include "options.h"

#include <string.h>

static const char unreadable[] = "the options are not a JSON object of numbers and plain words";

/// What is left to be read.
typedef struct reader {
  const char *next;
  const char *end;
} reader;

static void skip_blanks(reader *r) {
  while (r->next < r->end && strchr(" \t\r\n", *r->next) != NULL && *r->next != '\0') {
    r->next += 1;
  }
}

/// Takes `symbol`, with blanks before it.
static bool take(reader *r, char symbol) {
  skip_blanks(r);
  if (r->next == r->end || *r->next != symbol) { return false; }
  r->next += 1;
  return true;
}

/// Takes a string without escapes: the names and words of these options need none.
static bool take_word(reader *r, marbled_bytes *word) {
  if (!take(r, '"')) { return false; }
  word->data = r->next;
  while (r->next < r->end && *r->next != '"') {
    if (*r->next == '\\') { return false; }
    r->next += 1;
  }
  word->size = (size_t)(r->next - word->data);
  return take(r, '"');
}

/// Takes a number's characters.
static bool take_number(reader *r, int64_t *number) {
  skip_blanks(r);
  const char *const begin = r->next;
  while (r->next < r->end && (*r->next == '-' || (*r->next >= '0' && *r->next <= '9'))) {
    r->next += 1;
  }
  const marbled_bytes digits = {.data = begin, .size = (size_t)(r->next - begin)};
  return counter_read_integer(digits, number);
}

static bool equals(marbled_bytes word, const char *name) {
  return word.size == strlen(name) && memcmp(word.data, name, word.size) == 0;
}

static bool take_member(reader *r, counter_options *options) {
  marbled_bytes name = {.data = NULL, .size = 0};
  if (!take_word(r, &name) || !take(r, ':')) { return false; }
  if (equals(name, "start")) { return take_number(r, &options->start); }
  if (equals(name, "limit")) { return take_number(r, &options->limit); }
  if (equals(name, "every_ms")) { return take_number(r, &options->every_ms); }
  marbled_bytes word = {.data = NULL, .size = 0};
  if (!equals(name, "step") || !take_word(r, &word)) { return false; }
  options->draws = equals(word, "random");
  return options->draws || equals(word, "one");
}

static bool take_object(reader *r, counter_options *options) {
  if (!take(r, '{')) { return false; }
  if (!take(r, '}')) {
    do {
      if (!take_member(r, options)) { return false; }
    } while (take(r, ','));
    if (!take(r, '}')) { return false; }
  }
  skip_blanks(r);
  return r->next == r->end;
}

const char *counter_read_options(marbled_bytes json, counter_options *options) {
  *options = (counter_options){.start = 0, .limit = 1000000, .every_ms = 1000, .draws = false};
  if (json.size == 0 || json.data == NULL) { return NULL; }
  reader r = {.next = json.data, .end = json.data + json.size};
  if (!take_object(&r, options)) { return unreadable; }
  // The host has checked each against the schema; only here can they be held against each other.
  if (options->start > options->limit || options->start < -options->limit) {
    return "start lies beyond limit; give a start from -limit to limit";
  }
  return NULL;
}

bool counter_read_integer(marbled_bytes json, int64_t *number) {
  size_t place = 0;
  const bool is_negative = json.size > 0 && json.data[0] == '-';
  if (is_negative) { place = 1; }
  if (place == json.size) { return false; }
  // Counted downwards: there is one negative number more than there are positive ones.
  int64_t value = 0;
  for (; place < json.size; place += 1) {
    const int digit = json.data[place] - '0';
    if (digit < 0 || digit > 9 || value < (INT64_MIN + digit) / 10) { return false; }
    value = value * 10 - digit;
  }
  if (!is_negative && value == INT64_MIN) { return false; }
  *number = is_negative ? value : -value;
  return true;
}
