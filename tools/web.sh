#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The dashboard: type check, unit tests, a fresh build that must equal the committed web/dist, and every page in a real
# Chromium against `aisp serve` with a store of real runs.
# usage: tools/web.sh PROGRAM PLUGINS   (build/cpu/aisp and build/cpu/tests/plugins; made_store lies beside these)
set -euo pipefail

cd "$(dirname "$0")/.."
program=$PWD/$1
plugins=$PWD/$2
made_store=$(dirname "$plugins")/made_store
out=$PWD/build/web
rm -rf "$out"
mkdir -p "$out"

step() {
  local name=$1 started=$SECONDS
  shift
  "$@" >"$out/$name.log" 2>&1 || { echo "web: $name failed:"; tail -n 60 "$out/$name.log"; exit 1; }
  echo "web: $name passed in $((SECONDS - started)) s"
}

packages() (
  cd web
  # As long as the lock file did not change, what it names is installed already.
  [ package-lock.json -ot node_modules/.package-lock.json ] || npm ci --no-audit --no-fund
)

committed_is_fresh() {
  (cd web && npx vite build --outDir "$out/dist" --emptyOutDir) || return 1
  diff -r web/dist "$out/dist" && return 0
  echo "web/dist is not what web/src builds: run 'npm run build' in web/ and commit it"
  return 1
}

# What the pages need to have something to show: three chapters, several sizes, teams of threads, techniques that
# combine, two runs of one workload, a rejected variant, names that try to become markup. And what only many runs, or
# another machine, leave behind, made up.
real_store() {
  "$made_store" "$out/results.db" && measured names/loud --plugin "$plugins/names.so" &&
    measured ch07/transpose --param n=256 --combinations &&
    measured ch09/sgemm --param n=256 --param threads=1,2 && measured ch08/ilp && measured ch08/ilp && measured ch07/transpose ch09/sgemm --suite quick &&
    measured ch09/softmax ch09/fused_norm_quant dishonest/unwritten --plugin "$plugins/dishonest.so"
}

# A rejected variant (1) and one that throws (8) are wanted, and a cell that is inconclusive (9) or, on a slow machine, had
# too little time to be proven (4) is nothing that a page could not show.
measured() {
  local code=0
  "$program" run --store "$out/results.db" --quiet --cell-seconds 1 "$@" || code=$?
  case $code in 0 | 1 | 4 | 8 | 9) ;; *) return 1 ;; esac
}

pages() (
  cd web
  AISP=$program AISP_STORE=$out/results.db AISP_PLUGIN=$plugins/names.so AISP_MADE_STORE=$made_store \
    npx playwright test
)

step packages packages
step types npm --prefix web run check
step unit npm --prefix web run test:unit
step dist committed_is_fresh
step size npm --prefix web run size
step store real_store
step pages pages
