#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a reviewer should not have to look for: format, layering, names, scripts, removals, clang-tidy. Runs all parts, then says which
# of them failed.  usage: tools/check.sh [format|layering|names|scripts|removals|tidy]...
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

layering() {
  cmake --preset cpu --log-level=WARNING -DAISP_TESTS=ON &&
    cmake --build --preset cpu -j "$jobs" --target layering_tests >/dev/null &&
    build/cpu/tests/layering_tests --gtest_brief=1
}

# Modules that are compiled several files at a time: no name of an unnamed namespace stands in two of their files. All
# files are read as one, since which of them are compiled together changes with every new file.
names() {
  local module file
  sed -n 's/^aisp_module(\([a-z]*\) TOGETHER .*/\1/p' CMakeLists.txt | while read -r module; do
    for file in aisp/"$module"/*.cpp; do echo "#include \"$file\""; done |
      g++ -std=c++20 -I. -DAISP_VERSION='""' -DAISP_PLUGIN_ABI=0 -fsyntax-only -x c++ - || exit 1
  done
}

# The compile database alone is enough; nothing is built. What needs CUDA's headers is not in it: they may be missing.
tidy() {
  cmake --preset tidy --log-level=WARNING &&
    git ls-files -z 'aisp/*.cpp' 'workloads/*.cpp' ':!aisp/device/cuda/*' |
    xargs -0 -n 3 -P "$jobs" clang-tidy-19 -p build/tidy --quiet 2>/dev/null
}

[ $# -gt 0 ] || set -- format layering names scripts removals tidy
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
