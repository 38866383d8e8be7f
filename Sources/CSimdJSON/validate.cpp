// SPDX-License-Identifier: Apache-2.0
//
// The judge. simdjson's DOM parser checks everything that JSON demands, with one opinion too many:
// a number that fits neither a machine integer nor a double is refused. JSON has no such limit and
// an id may be any number, so a refused text gets a second hearing: its numbers are judged by their
// grammar alone and replaced by zeros in a copy, and simdjson judges the copy.

#include "CSimdJSON.h"

#include <simdjson.h>

#include <cstdlib>
#include <cstring>
#include <new>

static_assert(SJ_PADDING >= simdjson::SIMDJSON_PADDING, "frame buffers promise too little padding");
static_assert(SJ_MAX_DEPTH == simdjson::DEFAULT_MAX_DEPTH, "the depth limit is simdjson's default");

struct sj_parser {
  simdjson::dom::parser dom;
  uint8_t *scratch = nullptr;
  size_t scratch_size = 0;

  ~sj_parser() { std::free(scratch); }
};

namespace {

/// A parser's memory is about 14 times the longest text it saw; past this length it is given back.
constexpr size_t retained_length = 64 * 1024;

sj_fault fault(simdjson::error_code code) {
  switch (code) {
    case simdjson::SUCCESS: return SJ_OK;
    case simdjson::EMPTY: return SJ_EMPTY;
    case simdjson::UTF8_ERROR: return SJ_UTF8;
    case simdjson::STRING_ERROR:
    case simdjson::UNESCAPED_CHARS:
    case simdjson::UNCLOSED_STRING: return SJ_STRING;
    case simdjson::NUMBER_ERROR: return SJ_NUMBER;
    case simdjson::DEPTH_ERROR: return SJ_DEPTH;
    case simdjson::CAPACITY:
    case simdjson::MEMALLOC: return SJ_MEMORY;
    default: return SJ_SYNTAX;
  }
}

uint8_t *padded_copy(sj_parser *parser, const uint8_t *text, size_t length) {
  if (parser->scratch_size < length + SJ_PADDING) {
    const auto room = std::realloc(parser->scratch, length + SJ_PADDING);
    if (room == nullptr) { return nullptr; }
    parser->scratch = static_cast<uint8_t *>(room);
    parser->scratch_size = length + SJ_PADDING;
  }
  if (length > 0) { std::memcpy(parser->scratch, text, length); }
  std::memset(parser->scratch + length, 0, SJ_PADDING);
  return parser->scratch;
}

bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

/// The end of the number that starts at `p`, or null where the grammar is broken.
const uint8_t *number_end(const uint8_t *p) {
  if (*p == '-') { p += 1; }
  if (!is_digit(*p)) { return nullptr; }
  if (*p == '0') {
    p += 1;
  } else {
    while (is_digit(*p)) { p += 1; }
  }
  if (*p == '.') {
    p += 1;
    if (!is_digit(*p)) { return nullptr; }
    while (is_digit(*p)) { p += 1; }
  }
  if (*p == 'e' || *p == 'E') {
    p += 1;
    if (*p == '+' || *p == '-') { p += 1; }
    if (!is_digit(*p)) { return nullptr; }
    while (is_digit(*p)) { p += 1; }
  }
  switch (*p) {
    case ' ': case '\t': case '\n': case '\r': case ',': case ']': case '}': case '\0': return p;
    default: return nullptr;
  }
}

/// Replaces each number by a zero and spaces; false where one is not a number by the grammar.
/// The text is zero-terminated by its padding.
bool blank_numbers(uint8_t *text, size_t length) {
  uint8_t *const end = text + length;
  for (uint8_t *p = text; p < end;) {
    if (*p == '"') {
      p += 1;
      while (p < end && *p != '"') { p += (*p == '\\') ? 2 : 1; }
      p += 1;
    } else if (*p == '-' || is_digit(*p)) {
      const uint8_t *const stop = number_end(p);
      if (stop == nullptr || stop > end) { return false; }
      *p = '0';
      for (p += 1; p < stop; p += 1) { *p = ' '; }
    } else {
      p += 1;
    }
  }
  return true;
}

sj_fault judge(sj_parser *parser, const uint8_t *text, size_t length) {
  const auto code = parser->dom.parse(text, length, false).error();
  if (code != simdjson::NUMBER_ERROR) { return fault(code); }
  uint8_t *const copy = text == parser->scratch ? parser->scratch
                                                : padded_copy(parser, text, length);
  if (copy == nullptr) { return SJ_MEMORY; }
  if (!blank_numbers(copy, length)) { return SJ_NUMBER; }
  return fault(parser->dom.parse(copy, length, false).error());
}

void give_back(sj_parser *parser) {
  parser->dom = simdjson::dom::parser();
  std::free(parser->scratch);
  parser->scratch = nullptr;
  parser->scratch_size = 0;
}

}  // namespace

sj_parser *sj_parser_make(void) { return new (std::nothrow) sj_parser; }

void sj_parser_free(sj_parser *parser) { delete parser; }

sj_fault sj_validate(sj_parser *parser, const uint8_t *text, size_t length) {
  const sj_fault result = judge(parser, text, length);
  if (length > retained_length) { give_back(parser); }
  return result;
}

sj_fault sj_validate_copy(sj_parser *parser, const uint8_t *text, size_t length) {
  const uint8_t *const copy = padded_copy(parser, text, length);
  return copy == nullptr ? SJ_MEMORY : sj_validate(parser, copy, length);
}
