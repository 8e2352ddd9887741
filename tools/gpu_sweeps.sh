#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures every ladder of a GPU at several sizes and writes for each a page with all rungs, what the device counted, and
# a picture of where the idea stops paying: what the chapters show.
#   usage: tools/gpu_sweeps.sh AISP OUT [SECONDS [CELL_SECONDS [WORKLOAD]...]]
#   OUT gets ladders/ (the pages), sweeps.log, and of every run its raw results. No ladder is begun after SECONDS (3000);
#   those that were not are named, and it is a failure.
set -uo pipefail

if [ $# -lt 2 ]; then
  sed -n '3,8s/^# *//p' "$0" >&2
  exit 2
fi
aisp=$(realpath "$1")
mkdir -p "$2/ladders"
out=$(realpath "$2")
seconds=${3:-3000}
cell_seconds=${4:-2}
shift $(($# < 4 ? $# : 4))
only=" $* "
export AISP_STORE=$out/results.db

# A ladder, the axis along which its idea begins or stops to pay, and what stays as it is or tells lines apart.
# least_seconds: for a cell, where one call of the baseline takes so long that CELL_SECONDS leave too few rounds for an
# interval (labs/hopper_matmul: 150 ms at n=4096, which is then sampled in one round of eight).
sweeps() {
  cat <<'TABLE'
ch02/copy_width n=65536,1048576,16777216,268435456
ch02/h2d_transfer n=4096,65536,1048576,16777216
ch02/l2_residency rows=8,16,64,256
ch06/block_shape n=4194304,16777216,67108864,268435456
ch06/grid_stride n=4194304,16777216,67108864,268435456
ch06/launch_bounds n=16384,131072,1048576,8388608
ch06/roofline_intensity k=1,4,16,64,256,1024
ch06/unified_vs_explicit n=16384,131072,1048576,8388608
ch07/async_prefetch channels=1024,4096,16384,65536
ch07/cache_hints entries=524288,2097152,8388608,33554432
ch07/coalescing rows=64,512,4096,16384
ch07/gather entries=16384,65536,262144,524288
ch07/reduction values=1048576,8388608,67108864,268435456 cols=1048576
ch07/shared_tile_matmul n=256,512,1024,2048
ch07/transpose n=2048,4096,8192,16384
ch07/vector_loads n=65536,1048576,16777216,268435456
ch08/bank_conflict tiles=64,1024,16384,65536
ch08/compaction values=65536,1048576,16777216,67108864 cols=4096
ch08/divergence n=16384,262144,4194304,16777216
ch08/histogram n=4194304,67108864,268435456,1073741824 hot=0,15
ch08/ilp channels=1024,8192,65536,262144 steps=1000
ch08/loop_invariant_math tokens=64,512,4096,16384
ch09/fused_norm_quant rows=64,512,4096,16384 cols=4096
ch09/layernorm cols=1024,4096,16384,65536,262144 values=67108864
ch09/rmsnorm cols=1024,4096,16384,65536,262144 values=67108864
ch09/softmax cols=1024,4096,16384,65536,262144 values=67108864
ch09/softmax_bf16 cols=1024,4096,16384,65536,262144 values=134217728
ch09/sgemm n=512,1024,2048,4096
ch09/swiglu_epilogue tokens=512,2048,8192 width=4096
ch09/tf32x3 n=512,1024,2048,4096
ch09/ptx_cvt_pack row_tiles=64,512,4096,16384 k_blocks=128
ch10/cluster_multicast n=1024,2048,4096,8192
ch10/dsmem_reduce cols=4096,16384,65536,262144,1048576
ch10/flash_attention_bf16 seq=512,2048,8192,16384 dim=64,128 causal=0,1
ch10/persistent_tiles n=1024,2048,4096,8192
ch10/tma_double_buffer n=1024,2048,4096,8192
ch10/warp_special_gemm n=1024,2048,4096,8192
ch11/copy_compute_overlap rounds=64,512,4096,16384
ch11/event_dag n=1024,8192,65536,1048576
ch11/graph_replay n=64,4096,65536,262144,1048576,2097152,4194304,8388608
ch11/priority_streams n=65536,262144,1048576,4194304
ch11/stream_ordered_alloc n=65536,1048576,16777216
ch12/atomic_work_queue n=32768,262144,2097152,16777216
ch12/conditional_graph n=4096,65536,1048576,4194304
ch12/device_graph_launch n=4096,65536,1048576,4194304
ch12/pdl_chain d=256,512,1024,2048
ch12/persistent_barrier n=4096,65536,262144,1048576
ch12/symmetric_put_signal n=1024,4096,32768,262144
ch18/flash_decode tokens=65536,131072,262144,524288 context=4096,8192,65536
labs/hopper_matmul n=1024,2048,4096,8192 least_seconds=15
labs/hopper_matmul_fp8 n=1024,2048,4096,8192 least_seconds=6
labs/hopper_matmul_tf32 n=1024,2048,4096,8192 least_seconds=6
TABLE
}

failed=() unreached=()
echo "# $(date -u +%Y-%m-%dT%H:%M:%SZ)  $("$aisp" version | head -n 1)  $cell_seconds s a cell" >"$out/sweeps.log"
while read -r -a words; do
  workload=${words[0]}
  [[ $only = "  " || $only == *" $workload "* ]] || continue
  if [ $SECONDS -ge "$seconds" ]; then
    unreached+=("$workload")
    continue
  fi
  began=$SECONDS
  parameters=() a_cell=$cell_seconds
  for word in "${words[@]:1}"; do
    case $word in
      least_seconds=*) a_cell=$(awk -v a="$cell_seconds" -v b="${word#*=}" 'BEGIN { print (a > b ? a : b) }') ;;
      *) parameters+=(--param "$word") ;;
    esac
  done
  "$aisp" run "$workload" --device cuda:0 "${parameters[@]}" --cell-seconds "$a_cell" --ladder --no-color --quiet --no-energy \
    >"$out/table" 2>&1
  code=$?
  { echo "# $workload ${words[*]:1}"; cat "$out/table"; } >>"$out/sweeps.log"
  run=$(sed -n 's/^run \([^ ]*\) is stored in .*/\1/p' "$out/table" | tail -n 1)
  # A rung that is inconclusive (9) or that a guard rejected (1) is a result, and the page says so.
  [[ $code = 0 || $code = 1 || $code = 9 ]] || failed+=("$workload (exit $code)")
  if [ -n "$run" ]; then
    "$aisp" report "$run" --format lessons --output "$out/ladders" >/dev/null || failed+=("$workload (no page)")
  fi
  echo "gpu_sweeps: $workload, exit $code, $((SECONDS - began)) s"
done < <(sweeps)
rm -f "$out/table"
[ ${#unreached[@]} = 0 ] || { echo "gpu_sweeps: not reached: ${unreached[*]}"; exit 1; }
[ ${#failed[@]} = 0 ] || { echo "gpu_sweeps: FAILED: ${failed[*]}"; exit 1; }
