// SPDX-License-Identifier: Apache-2.0
//
// JSON text in two steps: simdjson judges a whole text once, then plain C cuts the judged text into
// slices. A slice points into the text; nothing here copies a value or keeps a tree.
//
// Thread: a parser belongs to one thread at a time; every other function is pure.
// Owner: the caller owns the text and must keep it alive and unchanged while slices are in use.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Readable bytes that must follow a text given to `sj_validate`; what they hold is of no interest.
enum { SJ_PADDING = 64 };

/// Containers may be nested this deep.
enum { SJ_MAX_DEPTH = 1024 };

/// What is wrong with a text.
typedef enum sj_fault {
  SJ_OK = 0,
  SJ_EMPTY,
  SJ_UTF8,
  SJ_STRING,
  SJ_NUMBER,
  SJ_DEPTH,
  SJ_MEMORY,
  SJ_SYNTAX,
} sj_fault;

/// simdjson's working memory, kept between texts.
typedef struct sj_parser sj_parser;

sj_parser *sj_parser_make(void);
void sj_parser_free(sj_parser *parser);

/// Judges a whole text: grammar, UTF-8, escapes, numbers, depth. Legal numbers of any size pass.
/// `length + SJ_PADDING` bytes must be readable at `text`.
sj_fault sj_validate(sj_parser *parser, const uint8_t *text, size_t length);

/// The same for a text without padding, by way of a copy.
sj_fault sj_validate_copy(sj_parser *parser, const uint8_t *text, size_t length);

// Everything below takes text that passed `sj_validate`. On other text the answers are wrong, but
// no byte outside the slice is read.

/// One JSON value as written, quotes included, without the white space around it.
typedef struct sj_value {
  const uint8_t *start;
  size_t length;
  bool escaped;  ///< a string with at least one backslash
} sj_value;

/// One member of an object; the key is what stands between the quotes.
typedef struct sj_member {
  const uint8_t *key;
  size_t key_length;
  bool key_escaped;
  sj_value value;
} sj_member;

/// The place reached in a container.
typedef struct sj_cursor {
  const uint8_t *next;
  const uint8_t *end;
} sj_cursor;

/// The value of a whole text.
sj_value sj_whole(const uint8_t *text, size_t length);

/// A cursor before the first member or element of an object or array.
sj_cursor sj_open(sj_value container);

/// False at the end.
bool sj_next_member(sj_cursor *cursor, sj_member *member);
bool sj_next_element(sj_cursor *cursor, sj_value *element);

/// A cursor before a value of any kind, for `sj_next_token`.
sj_cursor sj_begin(sj_value value);

/// The next bracket, name or scalar, whatever container it stands in; false at the end. Each byte is read
/// once, however deep the value is nested.
bool sj_next_token(sj_cursor *cursor, sj_value *token);

/// A name to look for, as UTF-8.
typedef struct sj_name {
  const uint8_t *text;
  size_t length;
} sj_name;

/// What `sj_pick` came upon first.
typedef enum sj_pick_result {
  SJ_PICKED = 0,  ///< every member has a name of its own among those looked for
  SJ_UNKNOWN,     ///< a member has another name
  SJ_REPEATED,    ///< a member comes twice
} sj_pick_result;

/// Looks for named members in one pass over an object. Every `values[i]` is set: to the value of
/// `names[i]`, or to a null start where there is none; of a repeated member the first counts.
/// The first member that is unknown or repeated goes to `culprit`; the pass goes on behind it where
/// `lenient`, and repeated then outweighs unknown.
sj_pick_result sj_pick(sj_value object, const sj_name *names, size_t count, bool lenient,
                       sj_value *values, sj_member *culprit);

/// Undoes the escapes of what stands between a string's quotes, into room for `length` bytes, and
/// returns the bytes written. Half a surrogate pair becomes U+FFFD.
size_t sj_unescape(const uint8_t *text, size_t length, uint8_t *room);

/// False where the number is out of range or, for an integer, has a fraction or an exponent.
bool sj_read_int64(const uint8_t *text, size_t length, int64_t *number);
bool sj_read_double(const uint8_t *text, size_t length, double *number);

/// Room that `sj_write_double` needs.
enum { SJ_DOUBLE_ROOM = 32 };

/// Writes the shortest digits that read back as the same finite number; returns the bytes written.
size_t sj_write_double(double number, uint8_t *room);

#ifdef __cplusplus
}
#endif
