#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the comparison with Google Benchmark and prints its tables as Markdown.
#   benchmarks/run_accuracy.sh            the whole experiment: about an hour, nearly all of it Google Benchmark's
#   benchmarks/run_accuracy.sh --quick    the same tables from few and short comparisons: about two minutes
#   benchmarks/run_accuracy.sh --aisp     aisp's side of the whole experiment alone: about two minutes
# Further options go to harness_accuracy (--log shows every verdict).
set -euo pipefail
cd "$(dirname "$0")/.."

build=${AISP_BUILD:-build/accuracy}
arguments=(--spins 5 --equal 200 --one 50 --two 50 --seconds 10 --others 50)
case ${1:-} in
  --quick) arguments=(--spins 1 --equal 10 --one 5 --two 5 --seconds 1); shift ;;
  --aisp) arguments+=(--aisp-only); shift ;;
esac

cmake -S . -B "$build" -G Ninja -DAISP_BENCHMARKS=ON -DAISP_TESTS=OFF --log-level=WARNING >/dev/null
cmake --build "$build" --target harness_accuracy >/dev/null
if [[ ! -x $build/benchmarks/harness_accuracy ]]; then
  echo "Google Benchmark is missing: install libbenchmark-dev (./setup.sh compare)" >&2
  exit 4
fi

printf 'Commit %s%s, harness_accuracy %s\n' "$(git rev-parse --short HEAD)" \
  "$(git diff --quiet HEAD -- || echo ' with changes')" "${arguments[*]} $*"
printf 'Measured %s on %s, %s cores, load %s at the start.\n\n' "$(date -u +%Y-%m-%d)" \
  "$(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
"$build/benchmarks/harness_accuracy" "${arguments[@]}" "$@"
printf '\nLoad at the end: %s.\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
