#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures every size of the workloads that promise a ratio, and holds the lower bounds to the promises: about 20
# minutes, on a machine that does nothing else.  usage: benchmarks/soak-workload-targets.sh [RUN FLAGS]...
set -euo pipefail
cd "$(dirname "$0")/.."

build=${AISP_BUILD:-build/accuracy}
cmake -S . -B "$build" -G Ninja -DAISP_BENCHMARKS=ON -DAISP_TESTS=OFF --log-level=WARNING >/dev/null
cmake --build "$build" --target aisp workload_targets >/dev/null
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
missed=0

# held SECONDS 'WORKLOAD[ PARAM=VALUE]'... -- RUN FLAG...: measures them, so long a cell, and holds them to their targets.
held() {
  local seconds=$1 asked=() sizes=()
  shift
  while [[ $1 != -- ]]; do
    asked+=("$1")
    [[ $1 != *' '* ]] || sizes=(--param "${1#* }")
    shift
  done
  shift
  "$build/aisp" run "${asked[@]%% *}" "${sizes[@]}" --store "$store/results.db" --cell-seconds "$seconds" --no-color \
    --ladder "$@" || true
  "$build/aisp" export --store "$store/results.db" | "$build/benchmarks/workload_targets" "${asked[@]}" || missed=1
}

# A tool that is slow to start is used less: listing must feel like nothing.
list_ms=$(for _ in $(seq 20); do
  began=$(date +%s%N)
  "$build/aisp" list >/dev/null
  echo $((($(date +%s%N) - began) / 1000))
done | sort -n | head -n 10 | tail -n 1 | awk '{printf "%.1f", $1 / 1000}')
echo "aisp list: $list_ms ms, the median of 20 starts (target: under 50)"
awk -v ms="$list_ms" 'BEGIN {exit ms < 50 ? 0 : 1}' || missed=1

# The promise is about OpenBLAS, and the slower rungs would only take the time.
rungs=(--variant packed --variant threaded --variant openblas)
held 45 "ch09/sgemm n=1024" -- "${rungs[@]}" "$@"
# On two threads about as fast as OpenBLAS, and to be held to 1.0: as narrow an interval as time allows.
held 150 "ch09/sgemm n=2048" -- "${rungs[@]}" "$@"
# Closest to its target, and held to a probe that scatters too: its interval must be narrow to say anything.
held 90 ch07/reduction -- "$@"
held 45 ch16/int4_gemv ch07/transpose ch09/softmax -- "$@"
exit $missed
