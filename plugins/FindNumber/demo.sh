#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# demo.sh RELEASE-FOLDER: plays a round of find-number in real time, then replays what was recorded in
# virtual time, shows two scenarios, and ends by itself.
set -euo pipefail

bin=$(cd "$1" && pwd)
work=$(mktemp -d /tmp/marbled-demo.XXXXXX)
daemon=
finish() {
    [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
    [ -z "$daemon" ] || wait "$daemon" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
export MARBLED_SOCKET=$work/m.sock

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() {
    printf '$ marblectl %s\n' "$*"
    "$bin/marblectl" "$@"
}
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }

# --- A daemon of our own -----------------------------------------------------------------------------

mkfifo "$work/ready"
"$bin/marbled" --log warning --state-directory "$work/state" --ready-fd 3 3>"$work/ready" &
daemon=$!
# The daemon writes a word once it listens; when it ends without, the pipe closes.
if ! read -r _ <"$work/ready"; then
    printf 'demo: the daemon did not start; the line above says why\n' >&2
    exit 1
fi

# --- A round in real time ----------------------------------------------------------------------------

say 'A round of find-number in real time, played through the daemon'
run open find-number --name live --seed 5
run send live gameStart -o table
for guess in 1 2 3; do
    sleep 0.12
    run send live checkNumber "$guess" -o table
done

# --- The same round in virtual time ------------------------------------------------------------------

"$bin/marblectl" record live -o jsonl >"$work/record.jsonl"
python3 - "$work/record.jsonl" >"$work/replay.yaml" <<'PYTHON'
"""Makes a scenario of a record: its inputs go in at the same milliseconds, its rounds must come out again."""
import json
import sys

inputs, rounds = {}, []
for line in open(sys.argv[1]):
    entry = json.loads(line)
    pair = [entry.get("at", 0) // 1_000_000, entry.get("value")]
    if entry.get("kind") == "input":
        inputs.setdefault(entry["port"], []).append(pair)
    if entry.get("kind") == "output" and entry["port"] == "round":
        rounds.append(pair)
scenario = {"scenario": "the round that was just played, replayed in virtual time", "feature": "find-number",
            "seed": 5, "inputs": inputs, "expect": {"round": rounds}}
print(json.dumps(scenario))
PYTHON

say 'The same round in virtual time: the clock is driven, so it takes a millisecond'
run test --pictures "$work/replay.yaml" -o table

say 'Its record, run again: the same outputs at the same instants'
"$bin/marblectl" record live >"$work/live.record"
run replay "$work/live.record" -o table

say 'A slow network and a lost answer, in virtual time'
run test --pictures "$(dirname "$0")/scenarios/slow-network.yaml" -o table

say 'Right guesses and a wrong one, in virtual time'
run test --pictures "$(dirname "$0")/scenarios/stage.yaml" -o table

say 'Where to go next'
cat <<EOF
  $1/marbled --socket /tmp/marbled.sock &          start a daemon
  export MARBLED_SOCKET=/tmp/marbled.sock
  $1/marblectl play find-number                    play the game yourself
  $1/marblectl open find-number --virtual          open it with a clock that you drive
  $1/marblectl help                                everything else
  less README.md plugins/FindNumber/Sources/FindNumber.swift
EOF
