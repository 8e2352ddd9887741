#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the quick suite and writes its HTML report; called by `make bench`.
# A row that a guard rejects, that stays unproven or that is inconclusive is an answer about the machine, printed in
# the table, and no failure of this command; crashed workloads and errors of the program are.
set -uo pipefail

aisp=$1
report=$2
shift 2

"$aisp" run all --suite quick --report "$report" "$@"
code=$?
case $code in
  0) echo "every row is valid" ;;
  1) echo "note: a guard rejected at least one row; the table and \`aisp explain GUARD\` say why" ;;
  4) echo "note: at least one row is unproven on this machine; \`aisp doctor\` says what to change" ;;
  9) echo "note: at least one comparison is inconclusive; a quieter machine or a larger --cell-seconds settles it" ;;
  *) exit $code ;;
esac
echo "HTML report: $(realpath "$report")"
echo "more: export PATH=\"$(realpath "$(dirname "$aisp")"):\$PATH\"; aisp help"
