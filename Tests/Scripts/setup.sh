#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes sure that Swift and the Debian packages that the build needs are there. Says what it installs,
# and what to do when it cannot.
set -euo pipefail

needed_swift=6.3
build_packages=(g++ libcurl4-openssl-dev libsimdjson-dev libsqlite3-dev libsystemd-dev libuv1-dev libyaml-dev pkg-config)
test_packages=(fish mandoc openssl python3 socat systemd systemd-container tmux zsh)

fail() {
    printf 'setup: %s\n' "$1" >&2
    exit 1
}

# --- Swift -------------------------------------------------------------------------------------------

swift=${SWIFT:-swift}
command -v "$swift" >/dev/null 2>&1 || fail \
    "Swift is not there. Install $needed_swift or later from https://swift.org/install and put it on PATH."
found=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
[ -n "$found" ] || fail "$swift does not tell its version; is it the Swift compiler's driver?"
lowest=$(printf '%s\n%s\n' "$needed_swift" "$found" | sort -V | head -n 1)
[ "$lowest" = "$needed_swift" ] || fail \
    "Swift $found is too old. Install $needed_swift or later from https://swift.org/install."

# --- Debian packages ---------------------------------------------------------------------------------

command -v dpkg-query >/dev/null 2>&1 || fail \
    "this is not Debian or a relative of it. Install by hand what these packages hold: ${build_packages[*]}"

missing=()
for package in "${build_packages[@]}" "${test_packages[@]}"; do
    state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

become=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || fail \
        "these packages are missing and only root can install them: apt-get install ${missing[*]}"
    become=(sudo)
fi
printf 'setup: installing %s\n' "${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${become[@]}" apt-get update -qq &&
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "the packages could not be installed; the lines above say why. Try: apt-get install ${missing[*]}"
fi
