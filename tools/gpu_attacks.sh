#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs each attack of gpu_attacks.so alone and looks whether the guard that is meant for it names it, and nobody names the
# baseline or the honest twins.
#   usage: tools/gpu_attacks.sh AISP PLUGIN [NAME]...              (default: all; AISP_STORE says where results go)
#          tools/gpu_attacks.sh --judge NAME EXIT JSON [OUTPUT]    judges a run that was exported before
set -uo pipefail

# An attack and the guards that must all reject it; `contained`: its worker must end (exit 8) and say that something is
# still running, for no guard can be asked about a device that never becomes idle; `honest`: nobody rejects it;
# `spoils`: its thread works beside the baseline as well, which is told so. Cache that persists can be asked for anew
# only by waiting for the device that is held.
expectations() {
  cat <<'END'
late_stream device_work_in_window
copy_in_flight device_work_in_window
early_stream spoils device_work_in_window
host_function no_host_functions
work_on_host host_only_launches
work_on_host_waiting host_only_launches
persistent_kernel contained
lingering_kernel device_work_in_window
kept_in_memory answer_right answer_fresh
half answer_right compulsory_bytes_read
cooperative_grid launches_as_declared
device_launch launches_as_declared
managed_pages unified_memory_settled
persisting_window device_not_waited_for cache_not_kept
persisting_stream cache_not_kept
watched_time audited_as_timed
watched_kernels audited_as_timed
honest_again honest
honest_joined honest
honest_copy_joined honest
honest_waits honest
honest_persistent honest
honest_device_scratch honest
honest_prepared honest
honest_settled honest
honest_cooperative honest
honest_device_launch honest
honest_managed honest
honest_read honest
honest_halves honest
END
}

# rejections JSON: "VARIANT GUARD" for each; the file has one key a line, and its depth is its indentation.
rejections() {
  awk -F'"' '/^     "name":/ { variant = $4 } /^       "guard":/ { guard = $4 }
             /^       "level": "reject"/ { print variant, guard }' "$1"
}

# says TEXT FILE...: whatever lines it is broken into.
says() {
  local text=$1
  shift
  [[ $(cat -- "$@" | tr -s '[:space:]' ' ') == *"$text"* ]]
}

# judge NAME EXIT JSON [OUTPUT]: one line that begins with "==", and whether it is as it should be.
judge() {
  local name=$1 code=$2 json=$3 wanted found baseline guard missing=""
  read -r -a wanted < <(expectations | sed -n "s/^$name //p")
  if [ ${#wanted[@]} = 0 ]; then echo "== $name is no attack that is known here"; return 1; fi
  if [ "${wanted[0]}" = contained ]; then
    if [ "$code" != 8 ]; then echo "== $name NOT contained: exit $code"; return 1; fi
    if ! says "is still running" "${@:3}"; then
      echo "== $name NOT named: its worker was ended, but nobody says what is still running"
      return 1
    fi
    echo "== $name contained: its worker was ended and says what is still running, the run went on"
    return 0
  fi
  if [ "$code" = 8 ] || ! grep -q "\"workload\": \"attack/$name\"" "$json"; then
    echo "== $name NOT judged: exit $code, a crash is nobody's finding"
    return 1
  fi
  found=$(rejections "$json" | sed -n "s/^$name //p" | tr '\n' ' ')
  baseline=$(rejections "$json" | sed -n "s/^baseline //p" | tr '\n' ' ')
  if [ "${wanted[0]}" = spoils ]; then
    wanted=("${wanted[@]:1}")
    [ -z "$baseline" ] || found+="(its baseline, measured beside its thread: $baseline) "
  elif [ -n "$baseline" ]; then
    echo "== $name: its honest baseline was rejected by $baseline"
    return 1
  fi
  case ${wanted[0]} in
    honest)
      if [ -z "$found" ] && { [ "$code" = 0 ] || [ "$code" = 9 ]; }; then echo "== $name passed, as it should"; return 0; fi
      echo "== $name: exit $code, though nothing is wrong with it; rejected by ${found:-nobody}"
      return 1
      ;;
  esac
  for guard in "${wanted[@]}"; do
    [[ " $found" == *" $guard "* ]] || missing+="$guard "
  done
  if [ -z "$missing" ]; then echo "== $name caught by ${wanted[*]}; all: $found"; return 0; fi
  echo "== $name NOT caught by $missing; exit $code, rejected by ${found:-nobody}"
  return 1
}

if [ "${1:-}" = --judge ] && { [ $# = 4 ] || [ $# = 5 ]; }; then
  judge "${@:2}"
  exit
fi
if [ $# -lt 2 ]; then
  sed -n '5,6s/^# *//p' "$0" >&2
  exit 2
fi
aisp=$1 plugin=$2
shift 2
names=("$@")
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(expectations | cut -d' ' -f1)
json=$(mktemp)
output=$(mktemp)
trap 'rm -f "$json" "$output"' EXIT
worst=0
for name in "${names[@]}"; do
  "$aisp" run "attack/$name" --device cuda:0 --plugin "$plugin" --ladder --no-color --no-energy --cell-seconds 3 \
    --timeout 15 >"$output" 2>&1  # a file: a worker that cannot be ended would keep a pipe open
  code=$?
  cat "$output"
  "$aisp" export >"$json" || : >"$json"
  judge "$name" "$code" "$json" "$output" || worst=1
done
exit $worst
