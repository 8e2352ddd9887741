#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzzer of a build directory for a number of seconds, from freshly written seeds, two at a time.
# A finding fails, and its input is kept in BUILD/findings.  usage: tools/fuzz.sh BUILD SECONDS
set -euo pipefail

build=$1
seconds=$2
work=$build/corpus
findings=$build/findings
rm -rf "$work"
mkdir -p "$work" "$findings"
"$build/tests/fuzz/fuzz_seeds" "$work"

fuzz_one() {
  local name=$1 log=$findings/$1.log started=$SECONDS
  # The corpus grows in a directory of the build; max_len bounds the time one input can take.
  if "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len=65536 -timeout=20 -rss_limit_mb=3072 \
    -print_final_stats=1 -verbosity=1 -artifact_prefix="$findings/$name-" "$work/$name" >"$log" 2>&1; then
    echo "fuzz $name: no finding in $((SECONDS - started)) s, $(awk '/number_of_executed_units/ {print $2}' "$log") inputs"
  else
    tail -n 40 "$log"
    echo "fuzz $name: FOUND something after $((SECONDS - started)) s; the input is in $findings"
    return 1
  fi
}

failed=0
running=()
for name in config protocol json store http_request; do
  fuzz_one "$name" &
  running+=($!)
  if [ ${#running[@]} -ge "${FUZZ_JOBS:-2}" ]; then
    wait "${running[0]}" || failed=1
    running=("${running[@]:1}")
  fi
done
for job in "${running[@]}"; do wait "$job" || failed=1; done
exit $failed
