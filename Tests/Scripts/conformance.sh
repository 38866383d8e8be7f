#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes Documentation/Marbled.docc/Conformance.md from the table and from the names of the tests.
set -euo pipefail

MARBLED_WRITE_PAGES=1 "${SWIFT:-swift}" test --filter ConformancePageTests
