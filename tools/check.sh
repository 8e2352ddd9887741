#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a reviewer should not have to look for: format, layering, scripts, removals, headers, clang-tidy. Runs these
# parts, or those that are named, then says which of them failed.
# usage: tools/check.sh [format|layering|scripts|removals|headers|tidy|analyzer]...
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
jobs=${JOBS:-$(nproc)}
failed=()

format() { git ls-files -z '*.cpp' '*.h' '*.cu' '*.cuh' | xargs -0 -n 40 clang-format-19 --dry-run -Werror; }

scripts() {
  local files
  mapfile -t files < <(git ls-files | while read -r file; do
    [ -f "$file" ] && head -n 1 "$file" | grep -aqE '^#!.*\b(ba)?sh\b' && echo "$file"
  done)
  [ ${#files[@]} -gt 0 ] && shellcheck -x "${files[@]}"
}

# The list of removals still fits the code, and the documented table is the list.
removals() {
  tests/harness/remove_checks.sh --texts &&
    diff <(tests/harness/remove_checks.sh --table) <(grep '^| .*`aisp/' docs/design/checks_and_their_tests.md)
}

# Every header compiles alone.
headers() {
  cmake --preset cpu --log-level=WARNING -DAISP_TESTS=ON &&
    cmake --build --preset cpu -j "$jobs" --target headers_alone | tail -n 20
}

layering() {
  cmake --preset cpu --log-level=WARNING -DAISP_TESTS=ON &&
    cmake --build --preset cpu -j "$jobs" --target layering_tests >/dev/null &&
    build/cpu/tests/layering_tests --gtest_brief=1
}

# The compile database alone is enough; nothing is built. What needs CUDA's headers is not in it: they may be missing.
database() { cmake --preset tidy --log-level=WARNING; }
tidy_each() { xargs -0 -n 3 -P "$jobs" clang-tidy-19 -p build/tidy --quiet --checks="$1" 2>/dev/null; }

# Modules that are compiled several files at a time are read as one file each, which saves most of the time and also
# shows where a name of an unnamed namespace stands in two of their files. The other files are read one by one.
tidy() {
  local module modules alone files=() others=(':!aisp/device/cuda/*') result=0 running=()
  database || return 1
  mapfile -t modules < <(sed -n 's/^aisp_module(\([a-z]*\) TOGETHER[ )].*/\1/p' CMakeLists.txt)
  for module in "${modules[@]}"; do
    alone=$(sed -n "s/^aisp_module($module TOGETHER ALONE \"\([^\"]*\)\" .*/\1/p" CMakeLists.txt)
    mapfile -t -O ${#files[@]} files < <(with_others "$module" "$alone")
    others+=(":!aisp/$module/*")
    tidy_together "$module" "$alone" &
    running+=($!)
    [ ${#running[@]} -lt "$jobs" ] || { wait "${running[0]}" || result=1; running=("${running[@]:1}"); }
  done
  for module in "${running[@]}"; do wait "$module" || result=1; done
  { git ls-files -z 'aisp/*.cpp' 'workloads/*.cpp' "${others[@]}"; [ ${#files[@]} = 0 ] || printf '%s\0' "${files[@]}"; } |
    tidy_each '-clang-analyzer-*' || result=1
  return $result
}
# with_others MODULE ALONE: the files of a module that cannot join the others.
with_others() { [ -z "$2" ] || printf '%s\n' "aisp/$1"/*.cpp | grep -E "/($2)\.cpp$"; }
tidy_together() {
  local all=build/tidy/all_of_$1.cpp
  printf '#include "%s"\n' "aisp/$1"/*.cpp | grep -vE "/(${2:-none of them})\.cpp" >"$all"
  clang-tidy-19 --quiet --config-file=.clang-tidy --checks='-clang-analyzer-*,-bugprone-suspicious-include' "$all" -- \
    -std=c++20 -I. -DAISP_VERSION='""' -DAISP_PLUGIN_ABI=0 2>/dev/null
}

# Paths through each function, which takes longer than all the rest: not among the parts that run by default.
analyzer() {
  database && git ls-files -z 'aisp/*.cpp' 'workloads/*.cpp' ':!aisp/device/cuda/*' |
    tidy_each '-*,clang-analyzer-core.NullDereference,clang-analyzer-cplusplus.*'
}

[ $# -gt 0 ] || set -- format layering scripts removals headers tidy
for part in "$@"; do
  started=$SECONDS
  if "$part"; then
    echo "check: $part passed in $((SECONDS - started)) s"
  else
    echo "check: $part FAILED after $((SECONDS - started)) s"
    failed+=("$part")
  fi
done
[ ${#failed[@]} = 0 ] || { echo "check: failed: ${failed[*]}"; exit 1; }
