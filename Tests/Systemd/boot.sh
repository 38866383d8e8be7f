#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Boots a real systemd in a container, installs marbled there and uses it as a machine would.
#
#   make install DESTDIR=/tmp/stage PREFIX=/usr && Tests/Systemd/boot.sh /tmp/stage
#
# The container's files are this machine's, read through an overlay whose changes live in memory, with
# this machine's enabled units, homes, /tmp and network hidden. Everything is mounted in a private mount
# namespace and is gone when that ends; nothing of this machine's systemd is asked or changed.
#
# Needs root, systemd-container, and python3 or socat. Prints TAP. Exit status: 0 all hold, 1 one does
# not, 77 this machine cannot run it, with the reason.
set -u -o pipefail
stage=$(realpath -e -- "${1:?usage: boot.sh STAGE, the DESTDIR of an installation with PREFIX=/usr}") \
    || exit 1
self=$(realpath -e -- "$0")

# ---------------------------------------------------------------------------------------------------
# The container: runs inside the private mount namespace and becomes systemd-nspawn.

if [ "${MARBLED_LAB:-}" = inside ]; then
    set -e
    work=$2 cgroup=$3
    mount -t tmpfs -o mode=0755 tmpfs "$work/memory"
    mkdir "$work"/memory/{changes,scratch,root}
    root=$work/memory/root
    mount -t overlay -o "lowerdir=/,upperdir=$work/memory/changes,workdir=$work/memory/scratch" \
        overlay "$root"
    # Whatever this machine starts at boot must not start a second time in there.
    rm -rf "$root/etc/systemd/system" "$root/etc/systemd/user" "$root"/etc/rc?.d
    mkdir "$root/etc/systemd/system" "$root/etc/systemd/user"
    : >"$root/etc/fstab"
    : >"$root/etc/machine-id"
    for hidden in root home tmp var/tmp; do
        mount -t tmpfs -o mode=1777 tmpfs "$root/$hidden"
    done
    # The installation, and what a package's scripts do after it.
    tar -C "$stage" -cf - . | tar -C "$root" --keep-directory-symlink --no-overwrite-dir -xf -
    systemd-sysusers --root="$root" marbled.conf
    systemctl --quiet --root="$root" enable marbled.socket
    # A control group of its own, whole, so that the container's systemd owns what it makes there; and a
    # /run of its own for nspawn's notes.
    mount -t cgroup2 none /sys/fs/cgroup
    mkdir "/sys/fs/cgroup/$cgroup"
    echo $$ >"/sys/fs/cgroup/$cgroup/cgroup.procs"
    mount -t tmpfs tmpfs /run
    # basic.target holds the sockets and little else. CAP_BPF lets DevicePolicy= and its like be
    # enforced; without it systemd only notes that they are not.
    exec systemd-nspawn --quiet --directory="$root" --boot --machine="$cgroup" --private-network \
        --register=no --keep-unit --console=pipe --capability=CAP_BPF \
        --system-call-filter="bpf @keyring" -- systemd.unit=basic.target
fi

# ---------------------------------------------------------------------------------------------------
# Whether this machine can do it.

skip() {
    echo "1..0 # SKIP $1"
    exit 77
}

[ "$(id -u)" = 0 ] || skip "booting a container needs root"
for tool in systemd-nspawn systemd-sysusers unshare nsenter setpriv pgrep; do
    command -v "$tool" >/dev/null || skip "$tool is missing (package systemd-container, util-linux, procps)"
done
command -v python3 >/dev/null || command -v socat >/dev/null || skip "python3 or socat is missing"
unshare --mount --propagation private mount -t tmpfs tmpfs /mnt 2>/dev/null \
    || skip "mounting is not allowed here"
[ -x "$stage/usr/bin/marbled" ] || {
    echo "Bail out! $stage/usr/bin/marbled is missing: install with PREFIX=/usr"
    exit 1
}

work=$(mktemp -d) || exit 1
mkdir "$work/memory"
cgroup=marbled-lab-$$
nspawn=

# Ends the container in order, by force after ten seconds, and leaves nothing behind.
finish() {
    local status=$? mountpoint=$work/cgroup tries
    trap '' INT TERM
    if [ -n "$nspawn" ]; then
        kill -TERM "$nspawn" 2>/dev/null
        for ((tries = 0; tries < 100; tries++)); do
            kill -0 "$nspawn" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL "$nspawn" 2>/dev/null
        wait "$nspawn" 2>/dev/null
    fi
    mkdir -p "$mountpoint"
    unshare --mount --propagation private bash -c '
        mount -t cgroup2 none "$1" && [ -d "$1/$2" ] || exit 0
        [ ! -w "$1/$2/cgroup.kill" ] || echo 1 >"$1/$2/cgroup.kill"
        for try in 1 2 3 4 5; do
            find "$1/$2" -depth -type d -exec rmdir {} + 2>/dev/null && exit 0
            sleep 0.2
        done' - "$mountpoint" "$cgroup"
    rm -rf --one-file-system "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 1' INT TERM

MARBLED_LAB=inside unshare --mount --propagation private "$self" "$stage" "$work" "$cgroup" \
    </dev/null >"$work/console" 2>&1 &
nspawn=$!

# Whatever happens, the test ends after four minutes.
deadline=$((SECONDS + 240))

# Runs a command in the container, for at most fifteen seconds.
lab() { timeout --kill-after=1 15 nsenter --target "$init" --mount --uts --ipc --net --pid --cgroup -- "$@"; }

# Tries a command every 50 ms until it succeeds: within SECONDS, or not at all.
within() {
    local tenths=$((${1%.*} * 10)) start
    shift
    start=$(date +%s%N)
    while ! "$@"; do
        (((($(date +%s%N) - start) / 100000000) < tenths && SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

booted() {
    init=$(pgrep -P "$nspawn" | tail -n 1)
    [ -n "$init" ] || return 1
    state=$(lab systemctl is-system-running 2>/dev/null)
    [ "$state" = running ] || [ "$state" = degraded ]
}

init='' state=''
ended() { ! kill -0 "$nspawn" 2>/dev/null; }
booted_or_ended() { booted || ended; }
within 60 booted_or_ended
if ended || [ -z "$state" ]; then
    sed 's/^/# /' "$work/console" | tail -n 20
    skip "systemd-nspawn cannot boot a container here"
fi
root=/proc/$init/root

# ---------------------------------------------------------------------------------------------------
# What the checks are made of.

number=0 failed=0
check() { # check SENTENCE COMMAND...
    local sentence=$1
    shift
    number=$((number + 1))
    if "$@" >"$work/said" 2>&1; then
        echo "ok $number - $sentence"
    else
        echo "not ok $number - $sentence"
        failed=1
        { cat "$work/said" && lab journalctl --no-pager --boot --lines=15 --unit=marbled.service \
            --unit=marbled.socket; } 2>&1 | sed 's/^/# /'
    fi
}
skipped() { # skipped SENTENCE REASON
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

property() { lab systemctl show --property="$1" --value "${2:-marbled.service}"; }
main_pid() { property MainPID; }
# The main process as this machine numbers it, to read its /proc from outside.
outer_pid() {
    local inner namespace status
    inner=$(main_pid)
    namespace=$(readlink "/proc/$init/ns/pid")
    for status in /proc/[0-9]*/status; do
        if grep -qE "^NSpid:.*[[:space:]]$inner\$" "$status" 2>/dev/null \
            && [ "$(readlink "${status%status}ns/pid")" = "$namespace" ]; then
            basename "$(dirname "$status")"
            return
        fi
    done
    return 1
}
journal_says() { lab journalctl --no-pager --boot --output=cat --unit=marbled.service | grep -E -- "$1"; }

# Sends one ping over the socket named $1; the commands before it say who asks.
ask='
import socket, sys
client = socket.socket(socket.AF_UNIX)
client.settimeout(5)
client.connect(sys.argv[1])
client.sendall(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"daemon.ping\"}\n")
print(client.makefile().readline(), end="")'
ping_with() { # ping_with PYTHON-OR-EMPTY PREFIX... -- SOCKET
    local python=$1 prefix=()
    shift
    while [ "$1" != -- ]; do
        prefix+=("$1")
        shift
    done
    if [ -n "$python" ]; then
        "${prefix[@]}" "$python" -c "$ask" "$2"
    else
        echo '{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}' \
            | "${prefix[@]}" socat -t5 - "UNIX-CONNECT:$2"
    fi | grep -E '"id": ?1' | grep '"result"'
}
ping() { ping_with "$(command -v python3)" timeout 10 -- "$root/run/marbled/marbled.sock"; }

# ---------------------------------------------------------------------------------------------------
# Before the first client.

installed_units_are_clean() {
    lab systemd-analyze verify --recursive-errors=yes --man=no marbled.socket marbled.service
}
socket_waits() {
    [ "$(property ActiveState marbled.socket)" = active ] && [ -S "$root/run/marbled/marbled.sock" ] \
        && [ "$(property ActiveState)" = inactive ]
}
socket_belongs_to_the_group() {
    [ "$(lab stat -c '%U:%G %a' /run/marbled/marbled.sock)" = "root:marbled 660" ] \
        && [ "$(lab stat -Lc '%U %a' /run/marbled)" = "root 755" ]
}

check "the installed units are free of faults" installed_units_are_clean
check "the socket listens, and the service has not been started" socket_waits
check "the socket is root's and the group's, behind a directory that all may pass" \
    socket_belongs_to_the_group

# ---------------------------------------------------------------------------------------------------
# Served.

active() { [ "$(property ActiveState)" = active ]; }
status_text() { property StatusText | grep .; }

check "the first client starts the service, and its ping is answered" ping
check "the service is active" within 5 active
check "it says how it is" within 5 status_text

# A client inside, where permissions are those of the container.
member=$(lab getent group marbled | cut -d: -f3)
inner_python=
for candidate in /usr/bin/python3 /usr/local/bin/python3; do
    lab test -x "$candidate" && inner_python=$candidate && break
done
ping_as() { # ping_as GROUP: a user of the container who is in that group alone
    ping_with "$inner_python" lab setpriv --reuid=65534 --regid=65534 --groups="$1" \
        -- /run/marbled/marbled.sock
}
refuses_strangers() { ! ping_as 65534 2>"$work/stranger" && grep -i 'permission denied' "$work/stranger"; }
if [ -n "$inner_python" ] || lab test -x /usr/bin/socat; then
    check "a member of the group may connect" ping_as "$member"
    check "a stranger may not" refuses_strangers
else
    skipped "a member of the group may connect" "the container has neither python3 nor socat"
    skipped "a stranger may not" "the container has neither python3 nor socat"
fi

# ---------------------------------------------------------------------------------------------------
# Confined.

daemon_status() { grep -E "^$1:[[:space:]]*$2\$" "/proc/$daemon/status"; }
has_no_capability() {
    daemon_status CapEff 0+ && daemon_status CapPrm 0+ && daemon_status CapBnd 0+ \
        && daemon_status CapAmb 0+
}
is_not_root() { daemon_status Uid '([1-9][0-9]*[[:space:]]*){4}'; }
# nspawn filters whatever runs in the container; the service's own filters come on top of that.
has_more_filters_than_init() {
    local own inherited
    daemon_status Seccomp 2 || return 1
    own=$(awk '/^Seccomp_filters:/ {print $2}' "/proc/$daemon/status")
    inherited=$(awk '/^Seccomp_filters:/ {print $2}' "/proc/$init/status")
    echo "filters: $own, of which $inherited are the container's"
    [ -z "$own" ] || [ "$own" -gt "$inherited" ]
}
# Root's own attempt in the daemon's mount namespace: only a read-only mount can stop it.
seen_read_only() {
    local directory
    for directory in /usr /etc /run /var/lib /boot; do
        [ -d "$root$directory" ] || continue
        ! timeout 5 nsenter --target "$daemon" --mount touch "$directory/marbled-was-here" || return 1
    done
}
keeps_state() {
    local user
    user=$(awk '/^Uid:/ {print $2}' "/proc/$daemon/status")
    timeout 5 nsenter --target "$daemon" --mount setpriv --reuid="$user" --regid="$user" \
        --clear-groups touch /var/lib/marbled/kept \
        && [ "$(stat -c %a "$root/var/lib/private/marbled")" = 700 ]
}
# The library of stores is mapped by the first feature that asks, with all that it brings.
keeps_what_is_stored() {
    local instance
    instance=$(lab /usr/bin/marblectl open find-number) \
        && within 5 lab test -s /var/lib/private/marbled/store.sqlite \
        && grep -q libMarbledStore.so "/proc/$daemon/maps" \
        && lab /usr/bin/marblectl close "$instance" && ! journal_says 'the store fails'
}
homes_are_hidden() {
    ! timeout 5 nsenter --target "$daemon" --mount setpriv --reuid=65534 ls /home \
        && ! timeout 5 nsenter --target "$daemon" --mount setpriv --reuid=65534 ls /root
}

daemon=$(outer_pid) || daemon=none
check "it runs as a user of its own" is_not_root
check "it has no capability, and can get none" has_no_capability
check "it gains no privilege by exec" daemon_status NoNewPrivs 1
check "its system calls are filtered" has_more_filters_than_init
check "it sees the machine read-only" seen_read_only
check "it may write to its state directory, which is nobody else's" keeps_state
check "what a feature stores is kept there" keeps_what_is_stored
check "it does not see homes" homes_are_hidden

# ---------------------------------------------------------------------------------------------------
# Reloaded, killed, hung, stopped.

reloads() {
    local before
    before=$(main_pid)
    lab systemctl reload marbled.service && within 5 active && [ "$(main_pid)" = "$before" ] && ping
}
is_new() { # is_new OLD-PID: another process serves
    local now
    now=$(main_pid)
    [ "$now" != 0 ] && [ "$now" != "$1" ] && active
}
comes_back_killed() {
    local before
    before=$(main_pid)
    lab systemctl kill --kill-who=main --signal=KILL marbled.service \
        && within 2 is_new "$before" && [ "$(property NRestarts)" = 1 ]
}
comes_back_hung() {
    local before
    before=$(main_pid)
    # systemd gives it two seconds here (see below), and two more to notice, to abort and to restart.
    lab systemctl kill --kill-who=main --signal=STOP marbled.service \
        && within 4 is_new "$before" && journal_says 'Watchdog timeout' && journal_says 'ABRT|abrt'
}
stops_in_order() {
    lab systemctl stop marbled.service \
        && [ "$(property ActiveState)" = inactive ] && [ "$(property Result)" = success ] \
        && [ "$(property ExecMainCode)" = 1 ] && [ "$(property ExecMainStatus)" = 0 ] \
        && journal_says 'marbled.service: Deactivated successfully'
}
takes_the_socket_away() {
    lab systemctl stop marbled.socket && [ ! -e "$root/run/marbled/marbled.sock" ] \
        && [ "$(property ActiveState)" = inactive ]
}

check "reload keeps the process, and the socket serves" reloads
check "killed, it is back within two seconds" comes_back_killed
check "and the socket serves" ping

mkdir -p "$root/run/systemd/system/marbled.service.d"
printf '[Service]\nWatchdogSec=2s\n' >"$root/run/systemd/system/marbled.service.d/watchdog.conf"
lab systemctl daemon-reload
lab systemctl restart marbled.service
# The one wait for nothing to happen: longer than the watchdog's two seconds.
check "an idle daemon feeds its watchdog" eval 'sleep 3; active && [ "$(property NRestarts)" = 0 ]'
check "hung, it is aborted and back within its watchdog's time and two seconds" comes_back_hung
check "and the socket serves again" ping

check "stop ends it in order" stops_in_order
check "the socket stays behind and keeps its owner" eval 'socket_waits && socket_belongs_to_the_group'
check "and starts it anew for the next client" ping
check "stopping the socket stops the service and removes the name" takes_the_socket_away

echo "1..$number"
exit "$failed"
