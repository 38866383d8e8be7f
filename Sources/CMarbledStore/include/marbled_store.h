// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The boundary between the daemon and `libMarbledStore.so`, which keeps stores in a file.
///
/// The library brings a database and all of Foundation, many megabytes that a daemon whose features keep
/// nothing does without: it is mapped when the first of them asks. It exports `marbled_store_library`.
/// Swift has no stable ABI on Linux, so what crosses is C: bytes with their length, and numbers.
///
/// VERSIONS. Both sides come from one build and `version` says so. It stands first for ever; nothing
/// behind it is looked at when it is another.
///
/// THREADS. A store belongs to the thread that opened it.
///
/// OWNERSHIP. What is handed to a function, or to a callback, is borrowed for the length of the call.

/// To be raised with every change of this file.
#define MARBLED_STORE_VERSION 1

/// A run of bytes, not terminated by NUL. `data` may be NULL when `size` is 0.
typedef struct marbled_store_bytes {
    const void *_Nullable data;
    size_t size;
} marbled_store_bytes;

/// What went wrong, as far as it matters to who asked.
enum {
    MARBLED_STORE_OK = 0,
    /// The file is at its bound, or its disk is full.
    MARBLED_STORE_FULL = 1,
    /// The file is not what was written to it.
    MARBLED_STORE_DAMAGED = 2,
    /// The file cannot be written.
    MARBLED_STORE_READ_ONLY = 3,
    /// Another process has the file.
    MARBLED_STORE_BUSY = 4,
    /// The value is longer than the database can hold.
    MARBLED_STORE_TOO_LARGE = 5,
    /// The file is some other program's.
    MARBLED_STORE_FOREIGN = 6,
    /// The file was made by a later marbled.
    MARBLED_STORE_LATER = 7,
    /// Something else; `system_error` and `reason` say more.
    MARBLED_STORE_OTHER = 8,
};

/// How a call came out. All of it is zero when it went well.
typedef struct marbled_store_error {
    /// MARBLED_STORE_….
    int32_t code;
    /// The `errno` behind it, or 0.
    int32_t system_error;
    /// `reason_size` bytes of a sentence, from malloc; whoever called frees them.
    char *_Nullable reason;
    size_t reason_size;
} marbled_store_error;

/// One open database.
typedef struct marbled_store marbled_store;

/// What stands in it, to be used inside one transaction only.
typedef struct marbled_store_entries marbled_store_entries;

/// The inside of a transaction: true to keep what it did, false to undo it.
typedef bool (*marbled_store_body)(
    void *_Nullable context, marbled_store_entries *_Nonnull entries);

/// Is shown an entry; true to go on to the next.
typedef bool (*marbled_store_visitor)(
    void *_Nullable context, marbled_store_bytes key, marbled_store_bytes value);

/// What the library offers.
typedef struct marbled_store_table {
    uint32_t version;

    /// Opens the database at `path`, where a file must be; an empty one becomes a database. At
    /// `file_bytes` bytes it is full. Waits for other processes for `patience_ms` here and later.
    marbled_store_error (*_Nonnull open)(
        marbled_store_bytes path, int64_t file_bytes, int32_t patience_ms,
        marbled_store *_Nullable *_Nonnull store);

    /// Closes it. Its log is moved into the file if that is sound, and left as it is if not.
    void (*_Nonnull close)(marbled_store *_Nonnull store, bool is_sound);

    /// Runs `body` once inside one transaction, which is on the disk when this returns without an error.
    /// One that `writes` has the right to write from the start.
    marbled_store_error (*_Nonnull transact)(
        marbled_store *_Nonnull store, bool writes, marbled_store_body _Nonnull body,
        void *_Nullable context);

    /// Shows the entry with this key of this plugin, if there is one.
    marbled_store_error (*_Nonnull find)(
        marbled_store_entries *_Nonnull entries, marbled_store_bytes plugin,
        marbled_store_bytes key, marbled_store_visitor _Nonnull visitor, void *_Nullable context);

    /// Shows entries in the order of their keys' bytes, from the first at or behind `key`.
    marbled_store_error (*_Nonnull visit)(
        marbled_store_entries *_Nonnull entries, marbled_store_bytes plugin,
        marbled_store_bytes key, marbled_store_visitor _Nonnull visitor, void *_Nullable context);

    /// Counts the keys of a plugin.
    marbled_store_error (*_Nonnull count)(
        marbled_store_entries *_Nonnull entries, marbled_store_bytes plugin,
        int64_t *_Nonnull count);

    /// Keeps `value` under `key`, in place of what was there.
    marbled_store_error (*_Nonnull put)(
        marbled_store_entries *_Nonnull entries, marbled_store_bytes plugin,
        marbled_store_bytes key, marbled_store_bytes value);

    /// Keeps nothing under `key` any more.
    marbled_store_error (*_Nonnull remove)(
        marbled_store_entries *_Nonnull entries, marbled_store_bytes plugin,
        marbled_store_bytes key);
} marbled_store_table;

/// What the library exports.
const marbled_store_table *_Nonnull marbled_store_library(void);
