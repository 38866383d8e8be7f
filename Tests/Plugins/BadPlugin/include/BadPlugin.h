// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "marbled.h"

/// Further entries of this library, for tests of the loader: each is what a plugin's one symbol could
/// return by mistake, or, for the two good ones, by being of another age than the host.
const marbled_plugin_table *_Nullable bad_no_table(void);
const marbled_plugin_table *_Nullable bad_tiny_table(void);
const marbled_plugin_table *_Nullable bad_short_table(void);
const marbled_plugin_table *_Nullable bad_wrong_major(void);
const marbled_plugin_table *_Nullable bad_null_describe(void);
const marbled_plugin_table *_Nullable bad_null_create(void);
const marbled_plugin_table *_Nullable bad_null_send(void);
const marbled_plugin_table *_Nullable bad_null_destroy(void);
const marbled_plugin_table *_Nullable bad_not_json(void);
const marbled_plugin_table *_Nullable bad_not_a_manifest(void);
const marbled_plugin_table *_Nullable good_newer_minor(void);
const marbled_plugin_table *_Nullable good_longer_table(void);
