#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests in build/cpu. One that measures, on a machine that others may use, is run once more if it fails; what
# needed that is named at the end.  usage: [JOBS=n] tools/run_tests.sh
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
log=build/cpu/tests.log
failed=0
: >"$log"
for part in exact measured; do
  ctest --preset "$part" -j "${JOBS:-$(nproc)}" 2>&1 | tee -a "$log" || failed=1
done
again=$(sed -nE 's/.*Test +#[0-9]+: ([^ ]+).*\*\*\*(Failed|Timeout|Exception).*/\1/p' "$log" | sort -u | tr '\n' ' ')
if [ $failed = 0 ] && [ -n "$again" ]; then echo "passed only when run again: $again"; fi
exit $failed
