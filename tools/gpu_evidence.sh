#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything that is claimed about a GPU, measured anew on a machine that has one and nothing else but the programs.
#   usage: tools/gpu_evidence.sh PROGRAMS OUT [SECONDS] [PART]...
#   PROGRAMS: a folder with aisp and, as built by the preset cuda, gpu_attacks.so, timer_accuracy and comparison_accuracy;
#   parts whose program is not there are left out, and named. OUT: gets a log for each part, the raw results and a README,
#   and is packed into OUT.tar.gz. SECONDS: for all of it (default 1800), shared out among the parts; what one does not
#   need the later ones get. The suite has one size of each ladder, and all sizes where its share is 1500 s or more.
#   All comparisons take 340 s; in less time there are fewer, and their targets are in proportion.
#   parts: doctor timer peak verify suite attacks comparisons sanitizer (default: all, in this order); by default too
#   expectations (after the suite, where the committed results are beside this script), and where PROGRAMS has it:
#   nvbench (nvbench_spin), do_bench (libspin.so; needs do_bench.py and python3 with Triton), counters (audit_report);
#   only by name: torch (needs PyTorch, beside_torch.py and rows_turns), attention (needs PyTorch,
#   attention_beside_torch.py and libattention.so)
#   Where do_bench ran, timer_accuracy's errors must be at most a tenth of its errors: timer-table.md has both.
#   A program built from files that no commit has is refused, unless ALLOW_DIRTY=1: then the evidence says so.
#   Exit code 1: a part failed; 3: none did, but the suite ran out of time (it keeps the cells it finished).
set -uo pipefail

if [ $# -lt 2 ]; then
  sed -n '3,18s/^# *//p' "$0" >&2
  exit 2
fi
here=$(dirname "$(realpath "$0")")
results=$here/../results
programs=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
seconds=${3:-1800}
shift $(($# < 3 ? $# : 3))
parts=("$@")
asked=${#parts[@]}
if [ "$asked" = 0 ]; then
  parts=(doctor timer peak verify suite)
  [ ! -d "$results" ] || parts+=(expectations)
  parts+=(attacks comparisons sanitizer)
  [ ! -x "$programs/nvbench_spin" ] || parts+=(nvbench)
  [ ! -e "$programs/libspin.so" ] || parts+=(do_bench)
  [ ! -x "$programs/audit_report" ] || parts+=(counters)
fi
aisp=$programs/aisp
export AISP_STORE=$out/results.db programs aisp out
failed=() missing=() unfinished=()
suite_run=

# share NAME: of the time, in the parts of a whole that all parts together are.
share() {
  case $1 in
    doctor | expectations) echo 1 ;; timer) echo 1 ;; peak) echo 2 ;; verify) echo 12 ;; suite) echo 44 ;;
    attacks) echo 18 ;; comparisons) echo 13 ;; sanitizer) echo 18 ;; nvbench | do_bench) echo 4 ;; counters) echo 3 ;;
    torch | attention) echo 8 ;;
    *) echo "gpu_evidence: no part '$1'" >&2; return 1 ;;
  esac
}

# needs NAME: the program besides aisp without which it cannot run.
needs() {
  case $1 in
    timer) echo timer_accuracy ;; attacks) echo gpu_attacks.so ;; comparisons) echo comparison_accuracy ;;
    nvbench) echo nvbench_spin ;; do_bench) echo libspin.so ;; counters) echo audit_report ;;
    torch) echo rows_turns ;; attention) echo libattention.so ;;
  esac
}

# Small odd sizes, and rows long enough for every kind of team: which path a kernel takes depends on its size.
verify() {
  "$aisp" verify all --device cuda:0 --suite small &&
    "$aisp" verify ch09/softmax ch09/softmax_bf16 ch09/rmsnorm --device cuda:0 --param values=524288 \
      --param cols=1024,2048,4096,8192,16384,32768,65536,131072 &&
    "$aisp" verify ch09/layernorm --device cuda:0 --param values=1048576 \
      --param cols=1024,16384,40000,65536,131072,200000,200001,262144,524288 &&
    "$aisp" verify ch10/flash_attention_bf16 --device cuda:0 --param tokens=1200 --param seq=1,128,193,600 \
      --param dim=64,128 --param causal=0,1 --param kv_heads=2 --param group=1,2 &&
    "$aisp" verify ch18/flash_decode --device cuda:0 --param tokens=5000 --param context=1,63,64,65,5000 \
      --param kv_heads=3 --param group=1,4,8
}

# sanitize_one TOOL KIND LADDER SECONDS: exit code 0 if it was looked at to its end, 9 if something was found.
sanitize_one() {
  local said code
  # Into a file first: a worker that outlives its run would keep a pipe open.
  said=$(mktemp)
  timeout -k 2 "$4" "$1" --tool "$2" --target-processes all --error-exitcode 9 "$aisp" verify "$3" \
    --device cuda:0 --suite small --timeout 600 >"$said" 2>&1
  code=$?
  cat "$said"
  if [ $code = 124 ] || [ $code = 137 ]; then
    echo "$2 of $3 did not end in $4 s"
    code=124
  elif [ $code = 4 ] && grep -q '1 cannot run here' "$said"; then
    echo "$2 of $3 did not run: it cannot on this device"
  elif [ $code != 0 ]; then
    echo "$2 of $3 FAILED, exit $code"
    code=9
  fi
  rm -f "$said"
  return $code
}

# sanitize SECONDS: some ladders at a time (the tool keeps a processor busy and the device mostly waits), until the time
# is spent; says which it did not reach, and which did not end.
sanitize() {
  local tool=compute-sanitizer end=$((SECONDS + $1)) kind ladder most lanes ladders codes unreached
  command -v $tool >/dev/null || tool=$programs/compute-sanitizer/compute-sanitizer
  command -v "$tool" >/dev/null || { echo "compute-sanitizer was not found"; return 1; }
  ladders=$("$aisp" list --device cuda | grep -oE '^[a-z0-9_]+/[a-z0-9_]+')
  [ -n "$ladders" ] || { echo "the program lists no ladder for a GPU"; return 1; }
  lanes=$(($(nproc) / 2))
  [ $lanes -lt 6 ] || lanes=6
  codes=$(mktemp -d)
  for kind in memcheck racecheck; do
    echo "== $kind"
    unreached=()
    mkdir "$codes/$kind"
    for ladder in $ladders; do
      while [ "$(jobs -rp | wc -l)" -ge "$((lanes > 1 ? lanes : 1))" ]; do wait -n; done
      most=$((end - SECONDS))
      [ $most -lt 120 ] || most=120
      if [ $most -lt 2 ]; then
        unreached+=("$ladder")
        continue
      fi
      {
        sanitize_one "$tool" $kind "$ladder" $most >"$codes/$kind/${ladder/\//-}.log"
        echo $? >"$codes/$kind/${ladder/\//-}.code"
      } &
    done
    wait
    find "$codes/$kind" -name '*.log' | sort | xargs -r cat
    [ ${#unreached[@]} = 0 ] || echo "$kind did not reach: ${unreached[*]}"
  done
  most=$(find "$codes" -name '*.code' -exec cat {} +)
  rm -rf "$codes"
  grep -qx 0 <<<"$most" || { echo "not one ladder was looked at to its end"; return 1; }
  ! grep -qx 9 <<<"$most"
}

# part NAME SECONDS: its output in a log between a heading and the outcome.
part() {
  local name=$1 slot=$2 log=$out/$1.log started=$SECONDS sizes=full most=5 grace=0 full=1000 code
  local -a command cell
  case $name in
    doctor) command=("$aisp" doctor) ;;
    timer) command=("$programs/timer_accuracy") ;;
    peak) command=("$aisp" peak --device cuda:0) ;;
    verify) command=(bash -c "$(declare -f verify); verify") ;;
    # It ends by itself, with what it has: the rest of the slot is for a cell that has begun, and its audit.
    suite)
      [ "$slot" -ge 1500 ] || sizes=quick
      [ "$slot" -ge 800 ] || most=2
      cell=(--cell-seconds "$most")
      [ "$slot" -ge 500 ] || cell=(--cell-seconds 1 --no-energy)
      command=("$aisp" run all --device cuda:0 --suite "$sizes" --ladder --no-color "${cell[@]}"
        --time-budget $((slot * 9 / 10)))
      ;;
    expectations) command=("$aisp" expectations --device cuda:0 --min-speedup 1.05 --no-color --from "$results") ;;
    attacks) command=("$here/gpu_attacks.sh" "$aisp" "$programs/gpu_attacks.so") ;;
    comparisons)
      [ "$slot" -ge 340 ] || full=$((slot * 1000 / 340))
      command=("$programs/comparison_accuracy" --log --equal $(((200 * full + 999) / 1000))
        --longer $(((40 * full + 999) / 1000)))
      ;;
    sanitizer) command=(bash -c "$(declare -f sanitize_one sanitize); sanitize $slot"); grace=5 ;;
    nvbench) command=("$programs/nvbench_spin") ;;
    do_bench) command=(python3 "$programs/do_bench.py" "$programs/libspin.so") ;;
    counters) command=("$programs/audit_report" counters) ;;
    torch) command=(python3 "$programs/beside_torch.py" "$programs/rows_turns" --seconds $((slot - 10))) ;;
    attention) command=(python3 "$programs/attention_beside_torch.py" "$programs/libattention.so") ;;
  esac
  echo "# $(date -u +%Y-%m-%dT%H:%M:%SZ)  at most $slot s  ${command[*]//"$programs/"/}" >"$log"
  timeout -k 5 $((slot + grace)) "${command[@]}" >>"$log" 2>&1
  code=$?
  echo "# exit $code after $((SECONDS - started)) s" >>"$log"
  echo "gpu_evidence: $name, exit $code, $((SECONDS - started)) s of $slot s"
  # A suite with rows that are inconclusive (9) is whole; one that ran out of time (4, which has other causes, too) says so.
  cut=$(sed -n 's/^\(out of time: .* kept\);.*/\1/p' "$log")
  case $name:$code in
    *:0 | suite:9) ;;
    expectations:3)
      if grep -q 'there are no committed results for' "$log"; then
        missing+=("expectations (no committed results of this device)")
      else
        failed+=("expectations (exit 3)")
      fi
      ;;
    suite:4) if [ -n "$cut" ]; then unfinished+=("suite ($cut)"); else failed+=("suite (exit 4)"); fi ;;
    *) failed+=("$name (exit $code)") ;;
  esac
  # It ends well where the driver lets nobody count, and says so.
  [ "$name" != counters ] || ! grep -q '^no counters' "$log" || failed+=("counters (none to be had)")
  [ "$name" != suite ] || suite_run=$(sed -n 's/^run \([^ ]*\) is stored in .*/\1/p' "$log" | tail -n 1)
}

weight=0
for each in "${parts[@]}"; do
  of=$(share "$each") || exit 2
  weight=$((weight + of))
done
[ -x "$aisp" ] || { echo "gpu_evidence: there is no program $aisp" >&2; exit 2; }
version=$("$aisp" version | head -n 1)
if [[ $version == *-dirty* && ${ALLOW_DIRTY:-} != 1 ]]; then
  echo "gpu_evidence: $version: built from files that no commit has; commit and build again, or set ALLOW_DIRTY=1" >&2
  exit 2
fi

for each in "${parts[@]}"; do
  of=$(share "$each")
  program=$(needs "$each")
  slot=$((((seconds - SECONDS) * of + weight - 1) / weight))
  weight=$((weight - of))
  if [ -n "$program" ] && [ ! -e "$programs/$program" ]; then
    missing+=("$each (no $program)")
    [ "$asked" = 0 ] || failed+=("$each (no $program)")
    echo "gpu_evidence: $each is left out: there is no $program"
  elif [ $slot -lt 1 ]; then
    failed+=("$each (no time left)")
    echo "gpu_evidence: no time left for $each"
  else
    part "$each" $slot
  fi
done

# Both of one sitting: what the driver and the machine do differs from day to day.
if grep -qs '^stopwatch ' "$out/timer.log" && grep -qs '^do_bench ' "$out/do_bench.log"; then
  "$here/timer_table.sh" "$out/timer.log" "$out/do_bench.log" >"$out/timer-table.md" ||
    failed+=("timer (an error of more than a tenth of do_bench's)")
fi

# The suite's own run: attacks are stored too, and later.
if [ -n "$suite_run" ]; then
  "$aisp" export "$suite_run" --format csv >"$out/samples.csv" && gzip -9f "$out/samples.csv" &&
    "$aisp" export "$suite_run" >"$out/results.json" && gzip -9f "$out/results.json" &&
    "$aisp" export "$suite_run" --format expectations -o "$out/expectations.json" || failed+=("export")
fi
{
  echo "# Evidence of $(date -u +%Y-%m-%d), $(sed -n 's/^ok *GPU *//p' "$out/doctor.log" 2>/dev/null | head -1)"
  echo
  echo "Made by \`tools/gpu_evidence.sh\` in $SECONDS s of $seconds s, by $version."
  [[ $version != *-dirty* ]] || echo "**Built from files that no commit has.**"
  echo "One log for each part."
  [ -z "$suite_run" ] ||
    echo "Of run $suite_run \`samples.csv.gz\` has every raw sample, \`results.json.gz\` everything with its manifest."
  [ ${#missing[@]} = 0 ] || echo "Left out: ${missing[*]}."
  [ ${#unfinished[@]} = 0 ] || echo "Not whole: ${unfinished[*]}."
  [ ${#failed[@]} = 0 ] || echo "Failed: ${failed[*]}."
  sed -n 's/^\(memcheck\|racecheck\) .*did not.*/&./p' "$out/sanitizer.log" 2>/dev/null
} >"$out/README.md"
tar -C "$(dirname "$out")" --exclude '*.db*' -czf "$out.tar.gz" "$(basename "$out")" || failed+=("packing")
echo "gpu_evidence: $out.tar.gz, $(stat -c %s "$out.tar.gz") bytes, after $SECONDS s"
[ ${#failed[@]} = 0 ] || { echo "gpu_evidence: FAILED: ${failed[*]}"; exit 1; }
[ ${#unfinished[@]} = 0 ] || { echo "gpu_evidence: not whole: ${unfinished[*]}"; exit 3; }
