#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh SECONDS: runs libFuzzer on every subject of Tests/Fuzzing for so long, as many at once as there are
# processors; then sends damaged lines to a real daemon. MARBLED_FUZZ_SUBJECTS="yaml record" runs only those,
# MARBLED_FUZZ_SEED=7 begins where an earlier run began, and MARBLED_FUZZ_RUNS=6000 ends after so many inputs: both
# together try the same inputs on every machine.
set -euo pipefail

seconds=$1
build=.build-fuzz
programs=$build/release
work=$build/work
seed=${MARBLED_FUZZ_SEED:-$(date +%s)}
runs=${MARBLED_FUZZ_RUNS:--1}
read -ra subjects <<<"${MARBLED_FUZZ_SUBJECTS:-$(cd Tests/Fuzzing/Corpora && echo *)}"
mkdir -p "$work/finds"

# What is found ends the program by a sentence and a trap: a debugger in between would only take time. Leaks
# are what tests with weak references look for.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

# --- The programs --------------------------------------------------------------------------------------

printf 'fuzz: building\n'
# The package manager knows by its own flag that libFuzzer brings `main`; of several sanitizers the compiler
# minds the last option only.
if ! MARBLED_FUZZ=1 "${SWIFT:-swift}" build -c release --scratch-path "$build" --product marbled-fuzz \
    --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=address \
    >"$work/build.log" 2>&1; then
    cat "$work/build.log" >&2
    exit 1
fi
for subject in "${subjects[@]}"; do ln -sf marbled-fuzz "$programs/fuzz-$subject"; done

# --- Runs ----------------------------------------------------------------------------------------------

# fuzz SUBJECT: one run, one line of what came of it. New inputs stay in the work folder for the next run.
fuzz() {
    local subject=$1 kept found log=$work/$1.log
    local program=$programs/fuzz-$subject
    mkdir -p "$work/corpus/$subject"
    local folders=("$work/corpus/$subject")
    for kept in "Tests/Fuzzing/Corpora/$subject" "Tests/Fuzzing/Finds/$subject"; do
        [ ! -d "$kept" ] || folders+=("$kept")
    done
    # Twice the time means that a run hangs where no time-out of one input can see it.
    if timeout -k 5 $((2 * seconds + 60)) "$program" -seed="$seed" -runs="$runs" \
        -max_total_time="$seconds" -max_len=2048 -timeout=5 \
        -rss_limit_mb=2048 -dict="Tests/Fuzzing/Dictionaries/$subject.dict" -print_final_stats=1 \
        -artifact_prefix="$work/finds/$subject-" "${folders[@]}" </dev/null >"$log" 2>&1; then
        printf '%-10s %s\n' "$subject" "$(summary "$log")"
        return
    fi
    found=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    {
        printf '%-10s FOUND: %s\n' "$subject" \
            "$(grep -aEm1 'Fatal error|ERROR: (Address|lib)' "$log" || tail -n 1 "$log")"
        printf '           the input: %s   the whole story: %s\n' "${found:-none was written}" "$log"
        if [ -n "$found" ]; then
            printf '           again:     SWIFT_BACKTRACE=enable=no %s %s\n' "$program" "$found"
            printf '           elsewhere: base64 -d <<<%s >input\n' "$(base64 -w 0 "$found")"
        fi
    } >&2
    return 1
}

summary() { # summary LOG
    awk '
        /^stat::number_of_executed_units/ { runs = $2 }
        /^stat::average_exec_per_sec/ { speed = $2 }
        /^stat::new_units_added/ { new = $2 }
        / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") coverage = $(i + 1) }
        END { printf "%9d runs %6d/s  coverage %5d  %5d new inputs", runs, speed, coverage, new }
    ' "$1"
}

failed=0
running=0
printf 'fuzz: %s s each, from seed %s\n' "$seconds" "$seed"
for subject in "${subjects[@]}"; do
    if [ "$running" -ge "$(nproc)" ]; then
        wait -n || failed=1
        running=$((running - 1))
    fi
    fuzz "$subject" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || failed=1
    running=$((running - 1))
done
[ "$failed" -eq 0 ] || exit 1

# --- The daemon ----------------------------------------------------------------------------------------

[ -z "${MARBLED_FUZZ_SUBJECTS:-}" ] || exit 0
export MARBLED_FUZZ_SECONDS=$seconds
export MARBLED_FUZZ_SEED=$seed
printf 'daemon     damaged lines for %s s\n' "$seconds"
"${SWIFT:-swift}" build --build-tests >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
"${SWIFT:-swift}" test --skip-build --filter FuzzTests
