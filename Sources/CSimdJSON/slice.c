// SPDX-License-Identifier: Apache-2.0
//
// Cuts judged text into slices, one byte at a time. What it walks over is short (an envelope, a
// handful of parameters), and reading it again is cheaper than keeping a tree.

#include "CSimdJSON.h"

static bool is_space(uint8_t byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static const uint8_t *skip_space(const uint8_t *p, const uint8_t *end) {
  while (p < end && is_space(*p)) { p += 1; }
  return p;
}

/// From behind an opening quote to the closing one.
static const uint8_t *string_end(const uint8_t *p, const uint8_t *end, bool *escaped) {
  while (p < end && *p != '"') {
    if (*p == '\\') {
      *escaped = true;
      p += 1;
    }
    p += 1;
  }
  return p < end ? p : end;
}

/// From an opening bracket to behind the one that closes it. In judged text brackets match, so one
/// count serves both kinds.
static const uint8_t *container_end(const uint8_t *p, const uint8_t *end) {
  size_t depth = 0;
  bool ignored = false;
  while (p < end) {
    switch (*p) {
      case '"':
        p = string_end(p + 1, end, &ignored);
        break;
      case '{':
      case '[':
        depth += 1;
        break;
      case '}':
      case ']':
        depth -= 1;
        if (depth == 0) { return p + 1; }
        break;
      default:
        break;
    }
    p += p < end;
  }
  return end;
}

static const uint8_t *scalar_end(const uint8_t *p, const uint8_t *end) {
  while (p < end && *p != ',' && *p != '}' && *p != ']' && !is_space(*p)) { p += 1; }
  return p;
}

static const uint8_t *take_value(const uint8_t *p, const uint8_t *end, sj_value *value) {
  const uint8_t *const start = p;
  value->escaped = false;
  switch (*p) {
    case '"':
      p = string_end(p + 1, end, &value->escaped);
      p += p < end;
      break;
    case '{':
    case '[':
      p = container_end(p, end);
      break;
    default:
      p = scalar_end(p, end);
      break;
  }
  value->start = start;
  value->length = (size_t)(p - start);
  return p;
}

/// Over white space and the comma to the next item, or null at the closing bracket.
static const uint8_t *next_item(const sj_cursor *cursor) {
  const uint8_t *p = skip_space(cursor->next, cursor->end);
  if (p < cursor->end && *p == ',') { p = skip_space(p + 1, cursor->end); }
  return p < cursor->end && *p != '}' && *p != ']' ? p : NULL;
}

sj_value sj_whole(const uint8_t *text, size_t length) {
  const uint8_t *end = text + length;
  const uint8_t *const start = skip_space(text, end);
  while (end > start && is_space(end[-1])) { end -= 1; }
  sj_value value = {.start = start, .length = (size_t)(end - start), .escaped = false};
  if (end > start && *start == '"') { (void)string_end(start + 1, end, &value.escaped); }
  return value;
}

sj_cursor sj_open(sj_value container) {
  const uint8_t *const end = container.start + container.length;
  return (sj_cursor){.next = container.start + (container.length > 0), .end = end};
}

bool sj_next_member(sj_cursor *cursor, sj_member *member) {
  const uint8_t *p = next_item(cursor);
  if (p == NULL) { return false; }
  member->key = p + 1;
  member->key_escaped = false;
  p = string_end(p + 1, cursor->end, &member->key_escaped);
  member->key_length = (size_t)(p - member->key);
  while (p < cursor->end && *p != ':') { p += 1; }
  p = skip_space(p + (p < cursor->end), cursor->end);
  if (p == cursor->end) { return false; }
  cursor->next = take_value(p, cursor->end, &member->value);
  return true;
}

bool sj_next_element(sj_cursor *cursor, sj_value *element) {
  const uint8_t *const p = next_item(cursor);
  if (p == NULL) { return false; }
  cursor->next = take_value(p, cursor->end, element);
  return true;
}
