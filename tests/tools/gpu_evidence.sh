#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What tools/gpu_evidence.sh runs, in which order and for how long, with programs that only say how they were called.
# usage: tests/tools/gpu_evidence.sh GPU_EVIDENCE
set -uo pipefail

script=$(realpath "$1")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/programs" "$place/tools"
export CALLS=$place/calls PATH=$place/tools:$PATH STATE=abc TIMER=0 COMPARISONS=0 TRITON=0 COUNTERS=counters
export READ='stopwatch 1 1000 1024 300 290 310' SUITE=0 SUITE_SAYS=

stand_in() {
  # shellcheck disable=SC2016  # for the stand-in to expand
  printf '#!/usr/bin/env bash\necho "%s $*" >>"$CALLS"\n%s\n' "$(basename "$1")" "$2" >"$place/$1"
  chmod +x "$place/$1"
}
# shellcheck disable=SC2016  # for the stand-ins to expand
{
  stand_in programs/aisp 'case $1 in
    version) echo "aisp 0.1.0, git $STATE" ;;
    doctor) echo "ok       GPU                    Stand-in" ;;
    run) echo "run SUITE-RUN is stored in $AISP_STORE"; echo "$SUITE_SAYS"; exit $SUITE ;;
    expectations) echo "compared with $8"; echo "$EXPECTED"; exit "$COMPARED" ;;
    list) printf "%s  words\n" ch02/one ch02/two ch02/three ;;
    export) echo "exported $2" ; [[ "$*" != *expectations* ]] || echo "{}" >"${!#}" ;;
  esac'
  stand_in programs/timer_accuracy 'echo "$READ"; sleep $TIMER'
  stand_in programs/comparison_accuracy 'sleep $COMPARISONS'
  stand_in tools/compute-sanitizer '
    [[ "$*" != *"$WRONG"* ]] || exit 9
    [[ "$*" != *"$ABSENT"* ]] || { echo "0 cells verified, 0 failed, 1 cannot run here"; exit 4; }
    [[ "$*" != *"$LONG"* ]] || sleep 60'
}
export WRONG=none LONG=none ABSENT=none EXPECTED='' COMPARED=0

problems=0
expect() {
  local what=$1
  shift
  "$@" >/dev/null || { echo "not so: $what"; problems=1; }
}
# shellcheck disable=SC2317  # called by expect
no() { ! "$@"; }
# shellcheck disable=SC2317
said() { grep -qE "$1" "$place/out/README.md"; }
# run EXIT SECONDS [PART]...
run() {
  local want=$1 code
  shift
  rm -rf "$place/out" "$CALLS"
  "$script" "$place/programs" "$place/out" "$@" >"$place/said" 2>&1
  code=$?
  [ $code = "$want" ] || { echo "exit $code instead of $want:"; cat "$place/said"; problems=1; }
}

run 0 100
order=$(grep -oE '^(timer_accuracy|aisp peak|aisp run|aisp expectations|comparison_accuracy|compute-sanitizer --tool [a-z]+)' "$CALLS" | uniq)
expect "the timer comes first, then the suite, the sanitizer last: $order" [ "$order" = "timer_accuracy
aisp peak
aisp run
aisp expectations
comparison_accuracy
compute-sanitizer --tool memcheck
compute-sanitizer --tool racecheck" ]
expect "each ladder is checked by itself" [ "$(grep -c '^compute-sanitizer.*verify ch02/' "$CALLS")" = 6 ]
budget=$(sed -n 's/^aisp run.*--time-budget \([0-9]*\).*/\1/p' "$CALLS")
expect "the suite has its share of 100 s, and what others left: $budget" [ "$budget" -ge 30 -a "$budget" -lt 50 ]
expect "every export is of the suite's run" no grep -qE '^aisp export (-|$)|^aisp export [^S]' "$CALLS"
expect "the suite's run is exported" grep -q '^aisp export SUITE-RUN' "$CALLS"
expect "a part without its program is named" said 'Left out: attacks \(no gpu_attacks.so\)'
expect "the build is named" said 'aisp 0.1.0, git abc'
expect "a program that may be missing is not missed" no grep -qE 'nvbench|do_bench|counters' "$place/out/README.md"
packed=$(tar -tzf "$place/out.tar.gz")
expect "one file has it all: $packed" grep -q 'out/results.json.gz' <<<"$packed"
expect "one file has it all: $packed" grep -q 'out/README.md' <<<"$packed"

expect "fewer comparisons in less time" grep -qE '^comparison_accuracy --log --equal [1-9][0-9]? --longer [1-9][0-9]?$' "$CALLS"
expect "and shorter cells" grep -q '^aisp run.* --cell-seconds 1 --no-energy ' "$CALLS"
run 0 3000 comparisons
expect "all of them where there is time" grep -q '^comparison_accuracy --log --equal 200 --longer 40$' "$CALLS"

# One that does not end takes its own share only, and is told.
COMPARISONS=600 run 1 20
expect "comparisons are stopped" said 'Failed: comparisons \(exit 124\)\.'
expect "the sanitizer still ran" grep -q '^compute-sanitizer --tool racecheck.*ch02/three' "$CALLS"

# A suite that ran out of time is not whole, and no failure; one that ends so for another reason is.
SUITE=4 SUITE_SAYS='out of time: 43 finished cells are kept; resume does the rest' run 3 30 suite
expect "how much there is" said 'Not whole: suite \(out of time: 43 finished cells are kept\)\.'
expect "it did not fail" no said 'Failed'
expect "its run is exported" grep -q '^aisp export SUITE-RUN' "$CALLS"
SUITE=4 run 1 30 suite
expect "no device, say" said 'Failed: suite \(exit 4\)'
SUITE=9 run 0 30 suite

# What the sanitizer does not reach is named; what it finds is a failure.
LONG=ch02/two run 0 3 sanitizer
expect "the ladder that did not end is named" said 'memcheck of ch02/two did not end'
expect "ladders that were not reached are named" said 'memcheck did not reach: ch02/three'
ABSENT=ch02/two run 0 30 sanitizer
expect "what cannot run on a device is named" said 'racecheck of ch02/two did not run'
ABSENT=ch02 run 1 30 sanitizer
expect "nothing looked at is no evidence" said 'Failed: sanitizer'
WRONG=ch02/two run 1 30 sanitizer
expect "a finding fails" said 'Failed: sanitizer'

# A device that nobody has measured before is no failure; what is worse than before is.
COMPARED=3 EXPECTED="aisp: there are no committed results for 'Stand-in'" run 0 30 expectations
expect "it is named" said 'Left out: expectations \(no committed results of this device\)'
COMPARED=3 run 1 30 expectations
COMPARED=1 run 1 30 expectations
expect "worse is a failure" said 'Failed: expectations \(exit 1\)'

# A part that was asked for by name must run.
run 1 30 attacks
run 1 30 do_bench counters
expect "what they need is named" said 'Failed: do_bench \(no libspin.so\) counters \(no audit_report\)'
run 2 30 nonsense

# Parts that run by default where their programs are.
touch "$place/programs/libspin.so"
# shellcheck disable=SC2016  # for the stand-ins to expand
{
  stand_in tools/python3 'echo "do_bench 1 1000 1024 4124"; exit $TRITON'
  stand_in programs/audit_report 'echo "$COUNTERS: 7 groups"'
}
run 0 100
order=$(grep -oE '^(compute-sanitizer --tool racecheck|python3.*|audit_report.*)' "$CALLS" | uniq)
expect "they come last: $order" [ "$order" = "compute-sanitizer --tool racecheck
python3 $place/programs/do_bench.py $place/programs/libspin.so
audit_report counters" ]
run 0 70 do_bench counters
expect "do_bench has four sevenths" grep -qE '^# .* at most (39|40) s  python3 do_bench' "$place/out/do_bench.log"
expect "what is printed is kept" grep -q '^counters: 7 groups' "$place/out/counters.log"
# The stopwatch errs by at most a tenth of what do_bench errs by in the same sitting.
run 0 100 timer do_bench
expect "both are in one table" grep -q '^| 1 | 1 µs | +300 to +300 ns .*| +3.10 µs | 0.097 |' "$place/out/timer-table.md"
READ='stopwatch 1 1000 1024 311 290 320' run 1 100 timer do_bench
expect "more is a failure" said "Failed: timer \(an error of more than a tenth of do_bench's\)"
expect "the cell is named" grep -q '1 blocks, 1000 ns: 311 of 3100 ns' "$place/out/timer-table.md"
READ=$'stopwatch 1 1000 1024 1 0 2\ncold 1 1000 1024 -311 -330 -290' run 1 100 timer do_bench
TRITON=1 run 1 30 do_bench
expect "without Triton it fails" said 'Failed: do_bench \(exit 1\)'
COUNTERS='no counters' run 1 30 counters
expect "no counters are no evidence" said 'Failed: counters \(none to be had\)'

# Nobody can check out a dirty tree.
STATE=abc-dirty run 2 30 doctor
expect "nothing was run" no grep -q '^aisp doctor' "$CALLS"
STATE=abc-dirty ALLOW_DIRTY=1 run 0 30 doctor
expect "it is marked" said 'Built from files that no commit has'
exit $problems
