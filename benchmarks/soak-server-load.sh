#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# 500 mixed requests a second for five minutes over a store of a million results: none may fail, the slowest hundredth
# stays below 50 ms and the server below 256 MiB.  usage: benchmarks/soak-server-load.sh [SECONDS [RATE [CELLS]]]
set -euo pipefail
cd "$(dirname "$0")/.."

build=${AISP_BUILD:-build/accuracy}
cmake -S . -B "$build" -G Ninja -DAISP_BENCHMARKS=ON -DAISP_TESTS=OFF --log-level=WARNING >/dev/null
cmake --build "$build" --target aisp server_load store_questions >/dev/null
store=$(mktemp -d)
"$build/benchmarks/store_questions" "$store/big.db" --cells "${3:-250000}" --contests 5000 --ask 1 >/dev/null
"$build/aisp" serve --port 0 --json --store "$store/big.db" >"$store/said" &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$store"' EXIT
for _ in $(seq 100); do
  [ -s "$store/said" ] && break
  sleep 0.1
done
port=$(sed 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/' "$store/said")
code=0
"$build/benchmarks/server_load" "$port" "${1:-300}" "${2:-500}" || code=1
peak=$(awk '/^VmHWM/ {print $2}' /proc/$server/status)
echo "server memory: $((peak / 1024)) MiB at most (target: under 256)"
[ "$peak" -lt 262144 ] || code=1
exit $code
