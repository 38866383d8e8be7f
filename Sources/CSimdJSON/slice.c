// SPDX-License-Identifier: Apache-2.0
//
// Cuts judged text into slices, one byte at a time. What it walks over is short (an envelope, a
// handful of parameters), and reading it again is cheaper than keeping a tree.

#include "CSimdJSON.h"

#include <string.h>

static uint64_t load8(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

static bool is_space(uint8_t byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static const uint8_t *skip_space(const uint8_t *p, const uint8_t *end) {
  while (p < end && is_space(*p)) { p += 1; }
  return p;
}

static const uint64_t ones = 0x0101010101010101;

/// Marks the lowest byte that equals `byte`; marks above it may be wrong.
/// (Mycroft's test for a zero byte, 1987.)
static uint64_t first_equal(uint64_t word, uint8_t byte) {
  const uint64_t difference = word ^ ones * byte;
  return (difference - ones) & ~difference & ones << 7;
}

/// Over bytes that neither end a string nor escape anything, eight at a time. On a machine that
/// puts the high byte first the slow loop in `string_end` does all the work.
static const uint8_t *skip_plain(const uint8_t *p, const uint8_t *end) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  while (end - p >= 8) {
    const uint64_t word = load8(p);
    const uint64_t found = first_equal(word, '"') | first_equal(word, '\\');
    if (found != 0) { return p + __builtin_ctzll(found) / 8; }
    p += 8;
  }
#endif
  return p;
}

/// From behind an opening quote to the closing one.
static const uint8_t *string_end(const uint8_t *p, const uint8_t *end, bool *escaped) {
  p = skip_plain(p, end);
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

sj_cursor sj_begin(sj_value value) {
  return (sj_cursor){.next = value.start, .end = value.start + value.length};
}

bool sj_next_token(sj_cursor *cursor, sj_value *token) {
  const uint8_t *p = cursor->next;
  while (p < cursor->end && (is_space(*p) || *p == ',' || *p == ':')) { p += 1; }
  if (p == cursor->end) { return false; }
  switch (*p) {
    case '{':
    case '[':
    case '}':
    case ']':
      *token = (sj_value){.start = p, .length = 1, .escaped = false};
      cursor->next = p + 1;
      break;
    default:
      cursor->next = take_value(p, cursor->end, token);
      break;
  }
  return true;
}

/// Names are short: two loads that may overlap are all over before memcmp has begun.
static bool is_same(const uint8_t *a, const uint8_t *b, size_t length) {
  if (length < 8) {
    for (size_t i = 0; i < length; i += 1) {
      if (a[i] != b[i]) { return false; }
    }
    return true;
  }
  for (size_t i = 0; i + 8 < length; i += 8) {
    if (load8(a + i) != load8(b + i)) { return false; }
  }
  return load8(a + length - 8) == load8(b + length - 8);
}

/// Whether an escaped key means the name. An escape is at most six bytes for one.
static bool means(const sj_member *member, const sj_name *name) {
  uint8_t room[6 * 64];
  if (member->key_length > sizeof room) { return false; }
  const size_t length = sj_unescape(member->key, member->key_length, room);
  return length == name->length && is_same(room, name->text, length);
}

static size_t find(const sj_member *member, const sj_name *names, size_t count) {
  for (size_t i = 0; i < count; i += 1) {
    if (member->key_escaped) {
      if (means(member, &names[i])) { return i; }
    } else if (member->key_length == names[i].length &&
               is_same(member->key, names[i].text, member->key_length)) {
      return i;
    }
  }
  return count;
}

sj_pick_result sj_pick(sj_value object, const sj_name *names, size_t count, bool lenient,
                       sj_value *values, sj_member *culprit) {
  for (size_t i = 0; i < count; i += 1) { values[i] = (sj_value){0}; }
  sj_pick_result result = SJ_PICKED;
  sj_cursor cursor = sj_open(object);
  sj_member member;
  while (sj_next_member(&cursor, &member)) {
    const size_t index = find(&member, names, count);
    if (index < count && values[index].start == NULL) {
      values[index] = member.value;
      continue;
    }
    const sj_pick_result fault = index == count ? SJ_UNKNOWN : SJ_REPEATED;
    if (fault > result) {
      result = fault;
      *culprit = member;
    }
    if (!lenient) { return result; }
  }
  return result;
}
