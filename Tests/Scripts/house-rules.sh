#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The rules that a formatter cannot check. Each prints the places that break it.
set -euo pipefail

failed=0
rule() { # rule SENTENCE PLACES
    [ -z "$2" ] && return
    printf '%s\n%s\n' "$1" "$2" >&2
    failed=1
}

sources=$(git ls-files --cached --others --exclude-standard -- '*.swift' '*.c' '*.h' '*.cpp' '*.py' '*.sh' Makefile)

rule 'Every source file begins with its licence:' \
    "$(for file in $sources; do [ ! -f "$file" ] || head -n 3 "$file" | grep -q SPDX-License-Identifier || echo "  $file"; done)"

# Time outside the timeline: nothing in a feature, a stream or the host may sleep, read a clock, draw a number
# or start a task that runs elsewhere. What stands in a comment or in back-ticks only talks about it.
timeless='Sources/Scheduling Sources/Streams Sources/MarbledKit Sources/JSONRPC Sources/Scenarios Sources/Marbles plugins'
escapes='\bTask(\.init)?(\([^)]*\))? \{|\bTask\.(sleep|detached|immediate)|Thread\.sleep|usleep|(Continuous|Suspending)Clock|[^.]Date\(\)|\.random\(|DispatchQueue|DispatchTime'
rule 'Time outside the timeline (use context.task, context.clock and the effects):' \
    "$(grep -rnE "$escapes" $timeless --include='*.swift' |
        grep -vE "^[^:]+:[0-9]+: *//|\`Task[ .]|Task\(executorPreference: executor\) \{" || true)"

rule 'Tests wait for facts, never for time:' \
    "$(grep -rnE 'Task\.sleep|Thread\.sleep|usleep\(|[^.a-zA-Z]sleep\(' Tests --include='*.swift' || true)"

# Who may know what.
rule 'Only EventLoop imports libuv:' \
    "$(grep -rnE 'import CLibuv' Sources --include='*.swift' | grep -v '^Sources/EventLoop/' || true)"
rule 'Only MarbledStore knows GRDB and SQLite:' \
    "$(grep -rnE 'import (GRDB|GRDBSQLite|CSQLite)$|sqlite3_' Sources --include='*.swift' | grep -v '^Sources/MarbledStore/' || true)"
rule 'Only HTTP imports libcurl:' \
    "$(grep -rnE 'import CCurl' Sources --include='*.swift' | grep -v '^Sources/HTTP/' || true)"
rule 'Only the plugin loader calls dlopen, and what loads libcurl and the store when they are first needed:' \
    "$(grep -rnE '\bdlopen\(' Sources --include='*.swift' --include='*.c' --include='*.cpp' |
        grep -vE '^Sources/(MarbledHost/PluginLibrary.swift|Store/StoreLibrary.swift|CCurl/marbled_curl.c):' || true)"
rule 'An escape from safety says why, in a "Safety:" comment above it:' \
    "$(grep -rnE -B6 -A4 '@unchecked|nonisolated\(unsafe\)|unsafeBitCast|unowned\(unsafe\)' Sources plugins --include='*.swift' |
        grep -v '///' | awk 'BEGIN { RS = "--\n" } !/Safety:/ { print }' | grep -E '@unchecked|nonisolated\(unsafe\)|unsafeBitCast|unowned\(unsafe\)' || true)"

exit $failed
