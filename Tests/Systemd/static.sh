#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the units of a staged installation without starting anything.
#
#   make install DESTDIR=/tmp/stage PREFIX=/usr && Tests/Systemd/static.sh /tmp/stage
#
# Prints TAP. Exit status: 0 all hold, 1 one does not, 77 systemd's tools are missing.
set -uo pipefail
stage=${1:?usage: static.sh STAGE, the DESTDIR of an installation with PREFIX=/usr}
threshold=15 # ten times the exposure that `systemd-analyze security` may find

if ! command -v systemd-analyze >/dev/null || [ ! -d /lib/systemd/system ]; then
    echo "1..0 # SKIP systemd-analyze or the units of systemd are missing"
    exit 77
fi

number=0 failed=0
check() { # check SENTENCE COMMAND...
    local sentence=$1 output
    shift
    number=$((number + 1))
    if output=$("$@" 2>&1); then
        echo "ok $number - $sentence"
    else
        echo "not ok $number - $sentence"
        failed=1
        sed 's/^/# /' <<<"$output"
    fi
}

# The program of a unit is looked for at its final path, where it is not yet: check copies that name
# the staged one.
copies=$(mktemp -d) || exit 1
trap 'rm -rf "$copies"' EXIT
mkdir "$copies"/{system,user,wrong}
for kind in system user; do
    for unit in marbled.service marbled.socket; do
        sed "s|^ExecStart=/usr/|ExecStart=$stage/usr/|" \
            "$stage/usr/lib/systemd/$kind/$unit" >"$copies/$kind/$unit" || failed=1
    done
done
sed '/^UMask=/s/UMask/UMasks/' "$copies/system/marbled.service" >"$copies/wrong/marbled.service"
cp "$copies/system/marbled.socket" "$copies/wrong/"

verify() { # verify KIND DIRECTORY: without --recursive-errors a misspelled key is only a remark
    XDG_RUNTIME_DIR=$copies timeout 60 systemd-analyze "--$1" verify --recursive-errors=yes --man=no \
        "$copies/$2/marbled.socket" "$copies/$2/marbled.service"
}
misspelled() { # the check above must be one that can fail
    ! verify system wrong >"$copies/said" 2>&1 && grep -q "Unknown key.*UMasks" "$copies/said"
}
no_placeholder() { ! grep -rnE '^[^#]*@[a-z]+dir@' "$stage/usr/lib/systemd"; }
security() {
    timeout 60 systemd-analyze security --offline=true --no-pager --threshold="$threshold" \
        "$copies/system/marbled.service"
}
sysusers() { # into an empty root: the snippet alone must make the group
    mkdir -p "$copies/root/etc" \
        && systemd-sysusers --root="$copies/root" "$stage/usr/lib/sysusers.d/marbled.conf" \
        && grep -q '^marbled:' "$copies/root/etc/group"
}

pages() { # each installed page is one that man finds nothing wrong with
    local page
    for page in man1/marblectl.1 man5/marbled.yaml.5 man7/marbled-protocol.7 man8/marbled.8; do
        mandoc -T lint -W style "$stage/usr/share/man/$page" || return 1
    done
}
completions() { # each shell finds its script where it looks, and understands it
    local share=$stage/usr/share program
    for program in marbled marblectl; do
        bash -n "$share/bash-completion/completions/$program" || return 1
        zsh -n "$share/zsh/vendor-completions/_$program" || return 1
        fish -n "$share/fish/vendor_completions.d/$program.fish" || return 1
    done
}

check "the manual pages are installed and well formed" pages
check "the completions are installed and well formed" completions
check "no placeholder is left in the installed units" no_placeholder
check "systemd finds no fault in the system units" verify system system
check "systemd finds no fault in the user units" verify user user
check "the same check refuses a misspelled setting" misspelled
check "the service's exposure is at most $((threshold / 10)).$((threshold % 10))" security
check "the group marbled is made" sysusers
echo "1..$number"
exit "$failed"
