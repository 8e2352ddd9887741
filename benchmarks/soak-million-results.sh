#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is promised of a store with a million results: questions are answered within 300 ms, pages load within a second,
# and `aisp serve` takes 500 mixed requests a second for five minutes, of which none fails and the slowest hundredth
# stays below 50 ms, in 256 MiB.  usage: benchmarks/soak-million-results.sh [SECONDS [RATE [CELLS]]]
# BIG_STORE=FILE keeps the store, which takes ten minutes to fill, and asks the one that is there the next time.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${AISP_BUILD:-build/accuracy}
cmake -S . -B "$build" -G Ninja -DAISP_CUDA=OFF -DAISP_BENCHMARKS=ON -DAISP_TESTS=OFF --log-level=WARNING >/dev/null
cmake --build "$build" --target aisp server_load store_questions >/dev/null
store=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$store"' EXIT
code=0
big=${BIG_STORE:-$store/big.db}
fill=()
[ -e "$big" ] || fill=(--cells "${3:-250000}" --contests 5000 --rounds 250)
"$build/benchmarks/store_questions" "$big" "${fill[@]}" --ask 100 2>/dev/null || code=1
"$build/aisp" serve --port 0 --json --store "$big" >"$store/said" &
server=$!
for _ in $(seq 100); do
  [ -s "$store/said" ] && break
  sleep 0.1
done
port=$(sed 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/' "$store/said")
if [ -d web/node_modules ]; then
  node benchmarks/page_loads.mjs "http://127.0.0.1:$port" || code=1
else
  echo "pages were not loaded: run 'npm ci' in web/ first"
  code=1
fi
"$build/benchmarks/server_load" "$port" "${1:-300}" "${2:-500}" || code=1
peak=$(awk '/^VmHWM/ {print $2}' "/proc/$server/status")
echo "server memory: $((peak / 1024)) MiB at most (target: under 256)"
[ "$peak" -lt 262144 ] || code=1
exit $code
