// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The boundary between the daemon and a plugin: two mirrored tables and one symbol.
///
/// A plugin is a shared library that exports `marbled_plugin_v1`. The host calls the plugin through
/// `marbled_plugin_table`, the plugin calls the host through `marbled_host_table`. Values cross as UTF-8
/// JSON text. Nothing blocks and nothing is returned late: an answer comes as a callback, so the same
/// plugin can be hosted in another process one day.
///
/// VERSIONS. Each table starts with its size and the version it was built against. Tables grow only at
/// the end; use a field only if it lies inside `size`. Another major is refused, any minor is accepted,
/// and no mandatory function is added within a major.
///
/// THREADS. `[loop]`: only on the thread that the host called the plugin on. `[any]`: from any thread.
///
/// OWNERSHIP. A pointer handed to a function is borrowed for the length of the call unless its comment
/// says otherwise. Whoever needs the bytes longer copies them.
///
/// TIME. `int64_t` nanoseconds since the instance opened. The host owns the one timer heap; a plugin
/// reads no clock, sleeps nowhere, and draws no random numbers of its own.

// Clang's words for pointers that may or may not be null; other compilers read past them, and a pedantic
// clang does not mind them here.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#elif !defined(_Nonnull)
#define _Nonnull
#define _Nullable
#endif

#define MARBLED_ABI_MAJOR 1
#define MARBLED_ABI_MINOR 0

#ifdef __cplusplus
extern "C" {
#endif

/// A run of bytes, not terminated by NUL. `data` may be NULL when `size` is 0.
typedef struct marbled_bytes {
    const char *_Nullable data;
    size_t size;
} marbled_bytes;

/// One running copy of a feature, as the host sees it. Opaque; valid from `create` until `destroy` returns.
typedef struct marbled_instance marbled_instance;

/// What a stream says: values, then at most one end.
enum {
    MARBLED_NEXT = 0,
    MARBLED_ERROR = 1,
    MARBLED_COMPLETED = 2,
};

/// Where work of one instant stands among other work of that instant. Arrivals are inputs and effect
/// answers; what a plugin schedules as one is done as queued work, right behind them.
enum {
    MARBLED_PHASE_WINDOW_CLOSES = 0,
    MARBLED_PHASE_WINDOW_OPENS = 1,
    MARBLED_PHASE_ARRIVAL = 2,
    MARBLED_PHASE_QUEUED = 3,
    MARBLED_PHASE_TIMER = 4,
    MARBLED_PHASE_CHECK = 5,
};

/// How serious a log line is.
enum {
    MARBLED_LOG_DEBUG = 0,
    MARBLED_LOG_INFO = 1,
    MARBLED_LOG_WARNING = 2,
    MARBLED_LOG_ERROR = 3,
};

/// Work that comes due. `data` is what was given with it. [loop]
typedef void (*marbled_work)(void *_Nullable data);

/// One thing an effect answers: MARBLED_NEXT and MARBLED_ERROR carry JSON, MARBLED_COMPLETED carries
/// nothing. After an error or a completion, or after cancel_effect, nothing comes. [loop]
typedef void (*marbled_answer)(void *_Nullable data, uint32_t event, marbled_bytes value);

/// What the host offers. The table outlives the process's last instance.
typedef struct marbled_host_table {
    uint32_t size;
    uint16_t abi_major;
    uint16_t abi_minor;

    /// The instance's clock, in nanoseconds. It stands still while a callback runs. [loop]
    int64_t (*_Nonnull now)(marbled_instance *_Nonnull instance);

    /// Runs `work` once at `due_ns` (at once, in a microstep of its own, when that has passed) in a phase
    /// of MARBLED_PHASE_…. `label` names the work to people and lives as long as the library.
    /// Returns a token, or 0 when the instance is over. [loop]
    uint64_t (*_Nonnull schedule)(
        marbled_instance *_Nonnull instance, int64_t due_ns, uint32_t phase,
        const char *_Nonnull label, marbled_work _Nonnull work, void *_Nullable data);

    /// Takes scheduled work back; false when it ran, runs, or was taken back. [loop]
    bool (*_Nonnull cancel)(marbled_instance *_Nonnull instance, uint64_t token);

    /// Says something on output number `output`, counted in the order of the description. A value for
    /// MARBLED_NEXT and MARBLED_ERROR, nothing for MARBLED_COMPLETED. [loop]
    void (*_Nonnull emit)(
        marbled_instance *_Nonnull instance, uint32_t output, uint32_t event, marbled_bytes value);

    /// Asks the outside world: `effect` is a name ("http", "store", "random", "wallClock"), `request`
    /// its JSON. Answers come as arrivals on the instance's timeline, never from inside this call.
    /// Returns a token, or 0 when the instance is over. [loop]
    uint64_t (*_Nonnull perform)(
        marbled_instance *_Nonnull instance, marbled_bytes effect, marbled_bytes request,
        marbled_answer _Nonnull answer, void *_Nullable data);

    /// Gives an effect up; false when it has ended. [loop]
    bool (*_Nonnull cancel_effect)(marbled_instance *_Nonnull instance, uint64_t token);

    /// Writes a line to the daemon's log; level is MARBLED_LOG_…. [loop]
    void (*_Nonnull log)(
        marbled_instance *_Nonnull instance, uint32_t level, marbled_bytes message);

    /// Ends this instance with a reason that clients can read; the daemon goes on. [loop]
    void (*_Nonnull fail)(marbled_instance *_Nonnull instance, marbled_bytes reason);

    /// Runs `work` on the loop soon, unless the instance ends first. The plugin's threads stop calling
    /// before `destroy` returns. Returns false, and never runs it, when the host takes no work from other
    /// threads, or none now because the loop has not come to what this instance posted before. [any]
    bool (*_Nonnull post)(
        marbled_instance *_Nonnull instance, marbled_work _Nonnull work, void *_Nullable data);

    /// A further table by its id, or NULL where this host has none. [loop]
    const void *_Nullable (*_Nonnull capability)(
        marbled_instance *_Nonnull instance, const char *_Nonnull id);

    /// The instant that a delay leads to: now and `delay_ns`, at least now. A timeline that follows the
    /// rules of older test suites puts a delay of zero one tick later, so delays are counted here and
    /// not by the plugin. [loop]
    int64_t (*_Nonnull after)(marbled_instance *_Nonnull instance, int64_t delay_ns);
} marbled_host_table;

/// What a plugin offers. The table and what it points to live as long as the library, for ever.
typedef struct marbled_plugin_table {
    uint32_t size;
    uint16_t abi_major;
    uint16_t abi_minor;

    /// The plugin's own; the host hands it nowhere else.
    void *_Nullable data;

    /// What the plugin is, as the JSON of its manifest without the library's file name. The text lives
    /// as long as the library. Called once, before anything else. [loop]
    marbled_bytes (*_Nonnull describe)(const struct marbled_plugin_table *_Nonnull plugin);

    /// Starts a copy of `feature` with `options`, a JSON object that fits the described schema. Its
    /// initial states are emitted from inside this call. Returns what the other functions are given, or
    /// NULL with a sentence in `error`, valid until the plugin is called again. After NULL the host calls
    /// nothing for this instance. [loop]
    void *_Nullable (*_Nonnull create)(
        const struct marbled_plugin_table *_Nonnull plugin,
        const marbled_host_table *_Nonnull host, marbled_instance *_Nonnull instance,
        marbled_bytes feature, marbled_bytes options, marbled_bytes *_Nonnull error);

    /// Delivers a JSON value that fits the input's schema to input number `input`. Returns true, or
    /// false with a sentence in `error`, valid until the plugin is called again. [loop]
    bool (*_Nonnull send)(
        void *_Nonnull feature, uint32_t input, marbled_bytes value, marbled_bytes *_Nonnull error);

    /// Ends a copy. Its timers and effects are taken back by the host afterwards; none of their
    /// callbacks runs once this was called. [loop]
    void (*_Nonnull destroy)(void *_Nonnull feature);
} marbled_plugin_table;

/// The one symbol that a plugin exports: its table.
const marbled_plugin_table *_Nonnull marbled_plugin_v1(void);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
