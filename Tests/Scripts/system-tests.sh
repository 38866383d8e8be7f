#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests what only an installed marbled can show: the units, checked, and booted for real where that can
# be done. A test that cannot run here says so and why; it does not fail.
set -euo pipefail

stage=$(mktemp -d /tmp/marbled-stage.XXXXXX)
trap 'rm -rf "$stage"' EXIT
make --no-print-directory install DESTDIR="$stage" PREFIX=/usr >"$stage.log" 2>&1 || {
    tail -n 30 "$stage.log" >&2
    rm -f "$stage.log"
    exit 1
}
rm -f "$stage.log"

failed=0
for test in static boot; do
    printf '# systemd: %s\n' "$test"
    status=0
    Tests/Systemd/$test.sh "$stage" || status=$?
    case $status in
    0 | 77) ;;
    *) failed=1 ;;
    esac
done
exit $failed
