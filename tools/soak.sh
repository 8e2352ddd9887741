#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The long proofs. Each writes a dated log into results/<date>-<machine>/, to be committed; all run even if one fails.
# usage: tools/soak.sh [PART]...   parts: store (kill_writers crowd postgres allocations) fuzz removals history
# sanitizers experiments, or one experiment by name: workload-targets; and bare (not by default: it needs root and debootstrap)
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
jobs=${JOBS:-$(nproc)}
rounds=${SOAK_ROUNDS:-2000}
crowd_seconds=${SOAK_CROWD_SECONDS:-600}
fuzz_seconds=${FUZZ_SECONDS:-600}
machine=$(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo | tr -cs 'A-Za-z0-9\n' '-' | sed 's/-*$//')
logs=results/$(date -u +%Y-%m-%d)-${MACHINE:-${machine:-$(uname -m)}}
mkdir -p "$logs"
failed=()

# proof NAME COMMAND...: runs it, with its output in the log between a heading and the outcome.
proof() {
  local name=$1 log=$logs/soak-$1.log started=$SECONDS code
  shift
  echo "soak: $name, log in $log"
  {
    echo "# $*"
    echo "# $(date -u +%Y-%m-%dT%H:%M:%SZ)  commit $(git rev-parse --short HEAD)$(git diff --quiet HEAD -- ':!results' || echo ' with changes')  $(uname -srm)  $(nproc) cores"
  } >"$log"
  "$@" >>"$log" 2>&1
  code=$?
  echo "# exit $code after $((SECONDS - started)) s" >>"$log"
  grep -v '^#' "$log" | tail -n 4
  if [ $code = 0 ]; then
    echo "soak: $name passed in $((SECONDS - started)) s"
  else
    echo "soak: $name FAILED with exit $code"
    failed+=("$name")
  fi
}

soak_programs() {
  cmake --preset cpu --log-level=WARNING -DAISP_TESTS=ON &&
    cmake --build --preset cpu -j "$jobs" --target soak_programs && return
  failed+=("$1 build")
  return 1
}

kill_writers() {
  soak_programs kill || return
  proof store-kill-1-writer timeout 7200 build/cpu/tests/store_kill "$rounds" 1
  proof store-kill-3-writers timeout 7200 build/cpu/tests/store_kill "$rounds" 3
}

crowd() { soak_programs crowd && proof store-crowd timeout 7200 build/cpu/tests/store_crowd "$crowd_seconds" 8 16; }

# A PostgreSQL server of its own (package postgresql), eight writers, each killed once a round.
postgres() {
  soak_programs postgres &&
    proof store-postgres timeout 7200 build/cpu/tests/store_shared "${SOAK_POSTGRES_SECONDS:-120}" 8
}

allocations() {
  soak_programs allocations || return
  if cmake --build --preset cpu -j "$jobs" --target allocation_tests; then
    AISP_EVERY_ALLOCATION=1 proof allocation-failures timeout 7200 build/cpu/tests/allocation_tests
  else
    failed+=("allocation build")
  fi
}

store() {
  kill_writers
  crowd
  postgres
  allocations
}

fuzz() {
  if ! cmake --preset fuzz --log-level=WARNING || ! cmake --build --preset fuzz -j "$jobs"; then
    failed+=("fuzz build")
    return
  fi
  proof fuzz timeout $((fuzz_seconds * 5 + 600)) tools/fuzz.sh build/fuzz "$fuzz_seconds"
}

# Every executable benchmarks/soak-*.sh is one experiment: A/A comparisons, detection of injected slow-downs.
experiments() {
  local script found=no
  for script in benchmarks/soak-*.sh; do
    [ -x "$script" ] || continue
    found=yes
    proof "$(basename "$script" .sh | sed 's/^soak-//')" timeout 7200 "$script"
  done
  [ $found = yes ] || echo "soak: there is no benchmarks/soak-*.sh"
}

# Takes the harness's protections out one at a time; a test must fail without each.
removals() { proof removals timeout 14400 tests/harness/remove_checks.sh; }

# How often histories without a change are taken for changed ones.
history() {
  if ! cmake --preset cpu --log-level=WARNING -DAISP_TESTS=ON ||
    ! cmake --build --preset cpu -j "$jobs" --target history_rates; then
    failed+=("history build")
    return
  fi
  proof history-rates timeout 7200 build/cpu/tests/history_rates 10000
}

# Every test under the address, undefined-behaviour and thread sanitizers.
sanitizers() {
  proof asan timeout 7200 make asan JOBS="$jobs"
  proof tsan timeout 7200 make tsan JOBS="$jobs"
}

# The binary to hand out, run in a Debian where nothing was ever installed.
bare() {
  if make release; then
    proof bare timeout 1800 tools/bare_debian.sh build/release/aisp
  else
    failed+=("release build")
  fi
}

[ $# -gt 0 ] || set -- store fuzz removals history sanitizers experiments
for part in "$@"; do
  case $part in
    store | kill_writers | crowd | postgres | allocations | fuzz | removals | history | sanitizers | experiments | bare) "$part" ;;
    *) proof "$part" timeout 7200 "benchmarks/soak-$part.sh" ;;
  esac
done
[ ${#failed[@]} = 0 ] || { echo "soak: failed: ${failed[*]}"; exit 1; }
echo "soak: every proof passed; commit $logs"
