#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What tools/gpu_attacks.sh makes of runs: with made-up exports, and with a program in place of aisp.
# usage: tests/tools/gpu_attacks.sh GPU_ATTACKS
set -uo pipefail

script=$(realpath "$1")
plugins=$(dirname "$(realpath "$0")")/../plugins
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export EXPORTED=$place/json SAID=$place/said CODE=0
problems=0

# exported NAME [VARIANT GUARD]...: a run of that attack with these rejections, indented as aisp does.
exported() {
  local name=$1
  shift
  printf '   "workload": "attack/%s",\n' "$name"
  while [ $# -gt 0 ]; do
    printf '     "name": "%s",\n       "guard": "%s",\n       "level": "reject"\n' "$1" "$2"
    shift 2
  done
}

# judged WANT TEXT NAME EXIT [OUTPUT]: the script's exit and part of what it says about $EXPORTED.
judged() {
  local want=$1 text=$2 said code
  shift 2
  said=$("$script" --judge "$1" "$2" "$EXPORTED" "${@:3}" 2>&1)
  code=$?
  [ $code = "$want" ] && [[ $said == *"$text"* ]] && return
  echo "exit $code instead of $want, or no '$text': $said"
  problems=1
}

exported lingering_kernel lingering_kernel device_work_in_window >"$EXPORTED"
judged 0 "caught by device_work_in_window" lingering_kernel 1
judged 1 "NOT judged" lingering_kernel 8
exported lingering_kernel lingering_kernel audited_as_timed >"$EXPORTED"
judged 1 "NOT caught by device_work_in_window" lingering_kernel 1
exported lingering_kernel lingering_kernel device_work_in_window baseline no_drift >"$EXPORTED"
judged 1 "baseline was rejected by no_drift" lingering_kernel 1

# A worker that was ended must have said why; in a table that is broken into lines.
exported persistent_kernel >"$EXPORTED"
judged 1 "NOT named" persistent_kernel 8
printf '    └ attempt 1 timed out: no sign of life for 15 s\n' >"$SAID"
judged 1 "NOT named" persistent_kernel 8 "$SAID"
printf '    └ attempt 1 timed out: what it started on the device is\n      still running\n' >"$SAID"
judged 0 "contained" persistent_kernel 8 "$SAID"
judged 1 "NOT contained" persistent_kernel 1 "$SAID"
printf '  "error": "what it started on the device is still running"\n' >>"$EXPORTED"
judged 0 "contained" persistent_kernel 8
judged 1 "NOT contained" persistent_kernel 1

for name in honest_copy_joined honest_persistent honest_device_scratch honest_prepared; do
  exported $name >"$EXPORTED"
  judged 0 "passed" $name 9
  judged 1 "NOT judged" $name 8
  exported $name $name device_work_in_window >"$EXPORTED"
  judged 1 "rejected by device_work_in_window" $name 1
done

# ran WANT NAME: with a stand-in that says $SAID, ends with $CODE and exports $EXPORTED.
# shellcheck disable=SC2016  # for the stand-in to expand
printf '#!/usr/bin/env bash\n[ "$1" = run ] || exec cat "$EXPORTED"\ncat "$SAID" >&2\nexit "$CODE"\n' >"$place/aisp"
chmod +x "$place/aisp"
ran() {
  local want=$1 code
  "$script" "$place/aisp" none.so "$2" >"$place/log" 2>&1
  code=$?
  [ $code = "$want" ] && grep -qF "$(head -1 "$SAID")" "$place/log" && return
  echo "exit $code instead of $want, or its output is missing:"
  cat "$place/log"
  problems=1
}
exported persistent_kernel >"$EXPORTED"
CODE=8 ran 0 persistent_kernel
CODE=1 ran 1 persistent_kernel
echo "nothing to tell" >"$SAID"
CODE=8 ran 1 persistent_kernel

# Every attack that is registered is expected, and the other way round.
registered=$(grep -ohE '\b(attack|reading|watching)\("[a-z_]+"' "$plugins"/gpu_*.cu | cut -d'"' -f2 | sort)
expected=$(sed -n "/<<'END'/,/^END/p" "$script" | sed '1d;$d' | cut -d' ' -f1 | sort)
[ -n "$registered" ] || { echo "no attack was found in $plugins"; problems=1; }
diff <(echo "$registered") <(echo "$expected") || problems=1
exit $problems
