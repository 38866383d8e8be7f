#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# author-tests.sh PRODUCTS
#
# What somebody does who writes a plugin, from the first word to the running feature: the plugin in C with
# two compilers, and new packages outside this repository, built, tested, loaded and checked. PRODUCTS is
# the folder of the built programs, such as .build/debug.
set -euo pipefail

products=$(cd "$1" && pwd)
checkout=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d /tmp/marbled-author.XXXXXX)
trap 'rm -rf "$work"' EXIT
export MARBLED=$products/marbled MARBLECTL=$products/marblectl

step() { printf '# author: %s\n' "$*"; }
fail() {
    printf 'author: %s\n' "$*" >&2
    exit 1
}
quietly() { # quietly COMMAND...: what it said is shown when it fails
    "$@" >"$work/log" 2>&1 || {
        tail -n 40 "$work/log" >&2
        fail "failed: $*"
    }
}
refused() { # refused PART COMMAND...: the command fails with status 3 and says PART
    local part=$1 status=0
    shift
    "$@" >"$work/log" 2>&1 || status=$?
    [ "$status" -eq 3 ] || fail "ended with $status instead of 3: $*"
    grep -qF -- "$part" "$work/log" || fail "does not say \"$part\": $(cat "$work/log")"
}

# --- The plugin in C ---------------------------------------------------------------------------------

for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || fail "$compiler is not there"
    step "the counter with $compiler"
    mkdir "$work/$compiler"
    library=$work/$compiler/libCounter.so
    quietly "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -fPIC -shared \
        -I "$checkout/Sources/CMarbledABI/include" -I "$checkout/plugins/Counter/Sources/include" \
        -o "$library" "$checkout"/plugins/Counter/Sources/*.c
    quietly "$MARBLED" manifest "$library" --write
    quietly "$MARBLECTL" plugin check "$library"
    MARBLED_PLUGIN_PATH=$work/$compiler quietly "$MARBLECTL" --spawn test "$checkout/plugins/Counter/scenarios"
done

# --- What is not written -----------------------------------------------------------------------------

step 'names, languages and places that are refused'
refused '"traffic-light" would be one' "$MARBLECTL" plugin new TrafficLight --path "$work"
refused 'is no language' "$MARBLECTL" plugin new traffic-light --language rust --path "$work"
refused 'holds no Package.swift' "$MARBLECTL" plugin new traffic-light --marbled "$work" --path "$work"
[ ! -e "$work/traffic-light" ] || fail 'a refused package was written all the same'

# --- New packages ------------------------------------------------------------------------------------

step 'a new plugin in C: build, scenario, check'
quietly "$MARBLECTL" plugin new slow-echo --language c --marbled "$checkout" --path "$work"
refused 'is there already' "$MARBLECTL" plugin new slow-echo --language c --path "$work"
quietly make -C "$work/slow-echo" build test check CFLAGS=-O1

step 'a new plugin in Swift: build, test, manifest'
quietly "$MARBLECTL" plugin new traffic-light --marbled "$checkout" --path "$work"
package=$work/traffic-light
# One build in debug is enough, and what it builds is kept for the next time.
build=(--package-path "$package" --scratch-path "$checkout/.build-author")
quietly "${SWIFT:-swift}" build --build-tests "${build[@]}"
quietly "${SWIFT:-swift}" test --skip-build "${build[@]}"
plugins=$checkout/.build-author/debug
quietly "$MARBLED" manifest "$plugins/libTrafficLight.so" --write

step 'its scenario in a daemon, and its check'
MARBLED_PLUGIN_PATH=$plugins quietly "$MARBLECTL" --spawn test "$package/scenarios"
quietly "$MARBLECTL" plugin check "$plugins/libTrafficLight.so"
printf '# author: passed\n'
