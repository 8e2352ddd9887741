#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything that is claimed about a GPU, measured anew on a machine that has one and nothing else but the programs.
#   usage: tools/gpu_evidence.sh PROGRAMS OUT [SECONDS] [PART]...
#   PROGRAMS: a folder with aisp, gpu_attacks.so, timer_accuracy, comparison_accuracy and libspin.so, as built by the
#   preset cuda. OUT: gets a log for each part, the raw results and a README. SECONDS: for all of it (default 1200).
#   parts: doctor peak verify attacks suite comparisons sanitizer timer (default: all, in this order), nvbench (by default
#   too where PROGRAMS has nvbench_spin), torch (needs PyTorch, beside_torch.py and librows.so), attention (needs PyTorch,
#   attention_beside_torch.py and libattention.so)
set -uo pipefail

if [ $# -lt 2 ]; then
  sed -n '3,9s/^# *//p' "$0" >&2
  exit 2
fi
here=$(dirname "$(realpath "$0")")
programs=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
seconds=${3:-1200}
shift $(($# < 3 ? $# : 3))
parts=("$@")
if [ ${#parts[@]} = 0 ]; then
  parts=(doctor peak verify attacks suite comparisons sanitizer timer)
  [ ! -x "$programs/nvbench_spin" ] || parts+=(nvbench)
fi
export AISP_STORE=$out/results.db
aisp=$programs/aisp
export programs aisp
failed=()

left() { echo $((seconds - SECONDS)); }

# part NAME COMMAND...: its output in a log between a heading and the outcome, if there is time left.
part() {
  local name=$1 log=$out/$1.log started=$SECONDS code
  shift
  if [ "$(left)" -lt 5 ]; then
    echo "gpu_evidence: no time left for $name"
    failed+=("$name")
    return
  fi
  echo "# $(date -u +%Y-%m-%dT%H:%M:%SZ)  ${*//"$programs/"/}" >"$log"
  timeout "$(left)" "$@" >>"$log" 2>&1
  code=$?
  echo "# exit $code after $((SECONDS - started)) s" >>"$log"
  echo "gpu_evidence: $name, exit $code, $((SECONDS - started)) s"
  [ $code = 0 ] || failed+=("$name")
}

# Small odd sizes, and rows long enough for every kind of team: which path a kernel takes depends on its size.
verify() {
  "$aisp" verify all --device cuda:0 --suite small &&
    "$aisp" verify ch09/softmax ch09/softmax_bf16 ch09/rmsnorm --device cuda:0 --param values=524288 \
      --param cols=1024,2048,4096,8192,16384,32768,65536,131072 &&
    "$aisp" verify ch10/flash_attention_bf16 --device cuda:0 --param tokens=1200 --param seq=1,128,193,600 \
      --param dim=64,128 --param causal=0,1 --param kv_heads=2 --param group=1,2 &&
    "$aisp" verify ch18/flash_decode --device cuda:0 --param tokens=5000 --param context=1,63,64,65,5000 \
      --param kv_heads=3 --param group=1,4,8
}

sanitize() {
  local tool=compute-sanitizer
  command -v $tool >/dev/null || tool=$programs/compute-sanitizer/compute-sanitizer
  command -v "$tool" >/dev/null || { echo "compute-sanitizer was not found"; return 1; }
  local kind worst=0
  for kind in memcheck racecheck; do
    echo "== $kind"
    "$tool" --tool $kind --target-processes all --error-exitcode 9 "$aisp" verify all --device cuda:0 --suite small \
      --timeout 600 || worst=1
  done
  return $worst
}

for each in "${parts[@]}"; do
  case $each in
    doctor) part doctor "$aisp" doctor ;;
    peak) part peak "$aisp" peak --device cuda:0 ;;
    verify) part verify bash -c "$(declare -f verify); verify" ;;
    suite) part suite "$aisp" run all --device cuda:0 --ladder --no-color --cell-seconds 5 ;;
    attacks) part attacks "$here/gpu_attacks.sh" "$aisp" "$programs/gpu_attacks.so" ;;
    timer) part timer "$programs/timer_accuracy" ;;
    nvbench) part nvbench "$programs/nvbench_spin" ;;
    torch) part torch python3 "$programs/beside_torch.py" "$programs/librows.so" ;;
    attention)
      part attention python3 "$programs/attention_beside_torch.py" "$programs/libattention.so"
      ;;
    comparisons) part comparisons "$programs/comparison_accuracy" --log ;;
    sanitizer) part sanitizer bash -c "$(declare -f sanitize); sanitize" ;;
    *) echo "gpu_evidence: no part '$each'" >&2; exit 2 ;;
  esac
done

if [ -e "$AISP_STORE" ]; then
  "$aisp" export --format csv >"$out/samples.csv" && gzip -9f "$out/samples.csv"
  "$aisp" export >"$out/results.json" && gzip -9f "$out/results.json"
  "$aisp" export --format expectations -o "$out/expectations.json"
fi
{
  echo "# Evidence of $(date -u +%Y-%m-%d), $(sed -n 's/^ok *GPU *//p' "$out/doctor.log" 2>/dev/null | head -1)"
  echo
  echo "Made by \`tools/gpu_evidence.sh\` from the programs of the preset cuda, $("$aisp" version 2>/dev/null | head -1)."
  echo "One log for each part; \`samples.csv.gz\` has every raw sample, \`results.json.gz\` everything with its manifest."
  [ ${#failed[@]} = 0 ] || echo "Failed or left out for lack of time: ${failed[*]}."
} >"$out/README.md"
[ ${#failed[@]} = 0 ] || { echo "gpu_evidence: FAILED: ${failed[*]}"; exit 1; }
