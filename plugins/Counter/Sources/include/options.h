// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "marbled.h"

/// What can be chosen when a counter is opened.
typedef struct counter_options {
  /// Where it begins when nothing is stored.
  int64_t start;
  /// The count never leaves -limit ... limit.
  int64_t limit;
  /// How long one tick is, in milliseconds.
  int64_t every_ms;
  /// Whether a tick adds a drawn number from 1 to 6 instead of 1.
  bool draws;
} counter_options;

/// Reads `json`, an object that fits the schema of the description, over the defaults. Returns NULL, or a
/// sentence that says what is wrong; the sentence lives as long as the library.
const char *counter_read_options(marbled_bytes json, counter_options *options);

/// Reads an integer of 64 bits with nothing around it. Returns false for anything else.
bool counter_read_integer(marbled_bytes json, int64_t *number);
