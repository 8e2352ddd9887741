#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the coverage build and writes build/coverage/html/index.html; called by `make coverage`.
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
find build/coverage -name '*.gcda' -delete
ctest --preset coverage -j "${JOBS:-$(nproc)}"
tests=$?
mkdir -p build/coverage/html
gcovr --root . --filter 'aisp/' --filter 'workloads/' --exclude-unreachable-branches --exclude-throw-branches \
  --object-directory build/coverage --html-details build/coverage/html/index.html --print-summary build/coverage |
  tail -n 20
echo "coverage: build/coverage/html/index.html"
exit $tests
