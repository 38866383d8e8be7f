#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation of what authors import, into docs/build/TARGET.
set -euo pipefail

targets=(Scheduling Streams Marbles MarbledKit MarbledTesting)
swift=${SWIFT:-swift}
command -v docc >/dev/null 2>&1 || {
    printf 'docs: docc is not on PATH; it comes with the Swift toolchain\n' >&2
    exit 1
}
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
mkdir -p docs/build
for target in "${targets[@]}"; do
    printf 'docs: %s\n' "$target"
    mkdir -p "$graphs/$target"
    "$swift" build --scratch-path .build-docs --target "$target" -Xswiftc -emit-symbol-graph \
        -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs/$target" >"$graphs/log" 2>&1 || {
        cat "$graphs/log" >&2
        exit 1
    }
    # Of what was built, only this target's own symbols.
    find "$graphs/$target" -name '*.symbols.json' ! -name "$target*.symbols.json" -delete
    docc convert --fallback-display-name "$target" --fallback-bundle-identifier "marbled.$target" \
        --additional-symbol-graph-dir "$graphs/$target" --output-path "docs/build/$target" \
        --transform-for-static-hosting --hosting-base-path "$target" >/dev/null
done
printf 'docs: open docs/build/TARGET/index.html through any web server\n'
