#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes Documentation/Marbled.docc/Conformance.md and Systems.md from their tables, from the names of the tests,
# and from how the scenarios run.
set -euo pipefail

MARBLED_WRITE_PAGES=1 "${SWIFT:-swift}" test --filter 'ConformancePageTests|SystemsPageTests'
