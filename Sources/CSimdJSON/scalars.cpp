// SPDX-License-Identifier: Apache-2.0
//
// Scalars between text and machine: exact integers, shortest doubles, strings without escapes.

#include "CSimdJSON.h"

#include <charconv>
#include <cstring>

namespace {

uint32_t hex4(const uint8_t *text) {
  uint32_t unit = 0;
  for (int i = 0; i < 4; i += 1) {
    const uint8_t byte = text[i];
    unit = unit << 4 | (byte <= '9' ? byte - '0' : (byte | 0x20) - 'a' + 10);
  }
  return unit;
}

uint8_t *put_utf8(uint32_t point, uint8_t *out) {
  if (point < 0x80) {
    *out++ = static_cast<uint8_t>(point);
  } else if (point < 0x800) {
    *out++ = static_cast<uint8_t>(0xC0 | point >> 6);
    *out++ = static_cast<uint8_t>(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    *out++ = static_cast<uint8_t>(0xE0 | point >> 12);
    *out++ = static_cast<uint8_t>(0x80 | (point >> 6 & 0x3F));
    *out++ = static_cast<uint8_t>(0x80 | (point & 0x3F));
  } else {
    *out++ = static_cast<uint8_t>(0xF0 | point >> 18);
    *out++ = static_cast<uint8_t>(0x80 | (point >> 12 & 0x3F));
    *out++ = static_cast<uint8_t>(0x80 | (point >> 6 & 0x3F));
    *out++ = static_cast<uint8_t>(0x80 | (point & 0x3F));
  }
  return out;
}

bool is_high(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// The power of ten of a number's first significant digit, kept within what int can hold.
int magnitude(const uint8_t *p, const uint8_t *end) {
  constexpr int far = 1 << 26;
  int power = 0;
  bool fraction = false;
  bool significant = false;
  for (; p < end && *p != 'e' && *p != 'E'; p += 1) {
    if (*p == '.') {
      fraction = true;
    } else if (*p != '-') {
      if (!fraction && significant) { power += 1; }
      if (fraction && !significant) { power -= 1; }
      significant = significant || *p != '0';
    }
  }
  int exponent = 0;
  const bool negative = end - p > 1 && p[1] == '-';
  for (; p < end; p += 1) {
    if (*p >= '0' && *p <= '9' && exponent < far) { exponent = exponent * 10 + (*p - '0'); }
  }
  return power + (negative ? -exponent : exponent);
}

}  // namespace

size_t sj_unescape(const uint8_t *text, size_t length, uint8_t *room) {
  const uint8_t *p = text;
  const uint8_t *const end = text + length;
  uint8_t *out = room;
  while (p < end) {
    if (*p != '\\' || end - p < 2) {
      *out++ = *p++;
      continue;
    }
    const uint8_t letter = p[1];
    p += 2;
    switch (letter) {
      case 'b': *out++ = '\b'; break;
      case 'f': *out++ = '\f'; break;
      case 'n': *out++ = '\n'; break;
      case 'r': *out++ = '\r'; break;
      case 't': *out++ = '\t'; break;
      case 'u': {
        if (end - p < 4) { break; }
        uint32_t point = hex4(p);
        p += 4;
        if (is_high(point) && end - p >= 6 && p[0] == '\\' && p[1] == 'u' && is_low(hex4(p + 2))) {
          point = 0x10000 + ((point - 0xD800) << 10) + (hex4(p + 2) - 0xDC00);
          p += 6;
        }
        out = put_utf8(is_high(point) || is_low(point) ? 0xFFFD : point, out);
        break;
      }
      default: *out++ = letter; break;
    }
  }
  return static_cast<size_t>(out - room);
}

bool sj_read_int64(const uint8_t *text, size_t length, int64_t *number) {
  const auto first = reinterpret_cast<const char *>(text);
  const auto result = std::from_chars(first, first + length, *number);
  return result.ec == std::errc() && result.ptr == first + length;
}

bool sj_read_double(const uint8_t *text, size_t length, double *number) {
  const auto first = reinterpret_cast<const char *>(text);
  const auto result = std::from_chars(first, first + length, *number);
  if (result.ptr != first + length) { return false; }
  if (result.ec == std::errc()) { return true; }
  // from_chars does not tell which way a number left the range. Too small is zero, near enough.
  *number = text[0] == '-' ? -0.0 : 0.0;
  return magnitude(text, text + length) < 0;
}

size_t sj_write_double(double number, uint8_t *room) {
  const auto first = reinterpret_cast<char *>(room);
  const auto result = std::to_chars(first, first + SJ_DOUBLE_ROOM, number);
  size_t length = static_cast<size_t>(result.ptr - first);
  // A whole number keeps a sign that it was a double: 5.0, not 5.
  if (std::memchr(first, '.', length) == nullptr && std::memchr(first, 'e', length) == nullptr) {
    std::memcpy(room + length, ".0", 2);
    length += 2;
  }
  return length;
}
