#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh SECONDS: damages input for so long, from a seed that is printed and can be given again.
set -euo pipefail
export MARBLED_FUZZ_SECONDS=$1
export MARBLED_FUZZ_SEED=${MARBLED_FUZZ_SEED:-$(date +%s)}
printf 'fuzz: %s s from seed %s\n' "$MARBLED_FUZZ_SECONDS" "$MARBLED_FUZZ_SEED"
"${SWIFT:-swift}" build --build-tests
"${SWIFT:-swift}" test --skip-build --filter FuzzTests
