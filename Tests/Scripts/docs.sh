#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation: the pages of Documentation/ into docs/build/marbled, and what authors import, target
# by target, into docs/build/TARGET.
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
printf 'docs: pages\n'
docc convert Documentation/Marbled.docc --output-path docs/build/marbled --warnings-as-errors \
    --fallback-display-name marbled --fallback-bundle-identifier marbled \
    --transform-for-static-hosting --hosting-base-path marbled
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
