#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The table of benchmarks/README.md from what timer_accuracy printed, in as many processes as the logs hold, and Triton's
# do_bench in the same sitting: lowest and highest median error and widest spread of each cell, hot and after flushes.
# Exit code 1 where an error is larger than a tenth of do_bench's in that cell, with a line for each; 2 without figures.
# usage: tools/timer_table.sh LOG...
set -uo pipefail

[ $# -gt 0 ] || { sed -n '6s/^# *//p' "$0" >&2; exit 2; }
awk '
  function signed(ns) { return sprintf("%+d", ns) }
  function size(ns) { return ns < 0 ? -ns : ns }
  function range(kind) {
    return signed(low[kind, cell]) " to " signed(high[kind, cell]) " ns | " wide[kind, cell] " ns"
  }
  $1 == "stopwatch" || $1 == "cold" {
    cell = $2 " " $3; at = $1 SUBSEP cell; ++seen[$1, cell]
    if (seen[at] == 1) { low[at] = high[at] = $5; wide[at] = 0; if ($1 == "stopwatch") cells[++count] = cell }
    if ($5 < low[at]) low[at] = $5
    if ($5 > high[at]) high[at] = $5
    if ($7 - $6 > wide[at]) wide[at] = $7 - $6
    if (size($5) > worst[cell]) worst[cell] = size($5)
  }
  $1 == "do_bench" { other[$2 " " $3] = $5 - $4; ++others }
  END {
    if (!count) { print "timer_table: no line of timer_accuracy" > "/dev/stderr"; exit 2 }
    print "| blocks | spin | error | spread | after flushes, error | spread | do_bench, error | worst of it |"
    print "|--:|--:|--:|--:|--:|--:|--:|--:|"
    for (i = 1; i <= count; ++i) {
      cell = cells[i]; split(cell, part, " ")
      beside = "– | –"
      if (cell in other) beside = sprintf("%+.2f µs | %.3f", other[cell] / 1000, worst[cell] / other[cell])
      printf "| %d | %g µs | %s | %s | %s |\n", part[1], part[2] / 1000, range("stopwatch"), range("cold"), beside
      if (cell in other && !(worst[cell] <= other[cell] / 10)) missed[++misses] = cell
    }
    for (i = 1; i <= misses; ++i) {
      split(missed[i], part, " ")
      printf "more than a tenth of do_bench: %d blocks, %d ns: %d of %d ns\n", part[1], part[2], worst[missed[i]], other[missed[i]]
    }
    exit misses > 0
  }' "$@"
