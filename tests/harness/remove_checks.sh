#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Removes the harness's protections one at a time, in a copy of the tree, and shows that a test fails without each.
#   tests/harness/remove_checks.sh                 all of them, in some 80 minutes
#   tests/harness/remove_checks.sh 'poison|guard'  those whose name matches
#   tests/harness/remove_checks.sh --table         the table of docs/design/checks_and_their_tests.md
#   tests/harness/remove_checks.sh --texts         only whether the code still has every text of the list (a second)
# The guards have the same proof in tests/guards/removal_test.cpp, without building anything.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

mode=run
filter=${1:-}
case $filter in --table | --texts) mode=${filter#--}; filter='' ;; esac
copy=${TMPDIR:-/tmp}/aisp-remove-checks
failures=0

prepare() {
  # Two of them would delete each other's copy, and call tests proofs that were none.
  exec 9>"$copy.lock"
  flock -n 9 || { echo "another $0 is using $copy; wait for it, or set TMPDIR" >&2; exit 1; }
  rm -rf "$copy" # with its build: what a killed run left there was made without a protection
  mkdir -p "$copy/tree"
  cp -rp aisp tests cmake CMakeLists.txt CMakePresets.json workloads docs benchmarks tools "$copy/tree/"
  cmake -S "$copy/tree" -B "$copy/build" -G Ninja -DAISP_CUDA=OFF >"$copy/log" 2>&1 || { cat "$copy/log"; exit 1; }
  ninja -C "$copy/build" harness_tests known_truth_tests >"$copy/log" 2>&1 || { tail -20 "$copy/log"; exit 1; }
}

# Whether the test passes with nothing removed, under the same limits: only then is its failure a proof.
declare -A passes
passes_unchanged() {
  local program=$1 test=$2
  if [[ -z ${passes["$program $test"]:-} ]]; then
    if ! ninja -C "$copy/build" "${program}_tests" >"$copy/log" 2>&1; then
      passes["$program $test"]=no
    elif run_test "$program" "$test"; then
      passes["$program $test"]=yes
    else
      passes["$program $test"]=no
    fi
  fi
  [[ ${passes["$program $test"]} == yes ]]
}

run_test() {
  local binary
  binary=$(find "$copy/build/tests" -name "${1}_tests" -type f)
  ( # a test that is ended by a signal is a failed test, and nothing to be told about
    ulimit -v 12000000 # without its limits a test may want all memory
    timeout 90 "$binary" --gtest_filter="$2" >"$copy/log" 2>&1
  ) 2>/dev/null
}

# check NAME FILE TEXT REPLACEMENT PROGRAM TEST: without TEXT in FILE the TEST of PROGRAM must fail.
check() {
  local name=$1 file=$2 program=$5 test=$6 code
  [[ $name =~ $filter ]] || return
  if [[ $mode == table ]]; then
    echo "| $name | \`$file\` | \`$program\` \`$test\` |"
    return
  fi
  if [[ $mode == texts ]]; then
    OLD=$3 perl -0777 -ne 'exit !/\Q$ENV{OLD}\E/' "$file" && return
    echo "STALE    $name: the text is not in $file"
    failures=$((failures + 1))
    return
  fi
  if ! passes_unchanged "$program" "$test"; then
    echo "UNPROVEN $name: $program $test fails with nothing removed"
    failures=$((failures + 1))
    return
  fi
  cp "$copy/tree/$file" "$copy/original"
  if ! OLD=$3 NEW=$4 perl -0777 -pi -e '$found += s/\Q$ENV{OLD}\E/$ENV{NEW}/; END { exit !$found }' "$copy/tree/$file"; then
    echo "STALE    $name: the text is not in $file"
    failures=$((failures + 1))
  elif ! ninja -C "$copy/build" "${program}_tests" >"$copy/log" 2>&1; then
    echo "BROKEN   $name: does not build without it"
    grep -m3 'error' "$copy/log"
    failures=$((failures + 1))
  else
    run_test "$program" "$test"
    code=$?
    if [[ $code == 0 ]] || grep -q 'Running 0 tests' "$copy/log"; then
      echo "SURVIVED $name: $program $test passes without it"
      failures=$((failures + 1))
    elif [[ $code != 124 ]] && run_test "$program" "$test"; then
      echo "UNSURE   $name: $program $test fails without it, and passes when run once more"
      failures=$((failures + 1))
    else
      echo "caught   $name: $program $test"
    fi
  fi
  cp "$copy/original" "$copy/tree/$file"
}

[[ $mode == run ]] && prepare

# shellcheck source=tests/harness/removals.sh
source tests/harness/removals.sh

if [[ $mode == texts ]]; then exit $((failures > 0)); fi
if [[ $mode == run ]]; then
  rm -rf "$copy"
  [[ $failures == 0 ]] || { echo "$failures checks are not proved"; exit 1; }
  echo "every check that was removed made its test fail"
fi
