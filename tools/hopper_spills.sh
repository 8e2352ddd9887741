#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles every .cu file of workloads/ and labs/ for sm_90a, as the default CUDA build does, and prints what the compiler
# says of each kernel: registers a thread, bytes of stack, bytes of spilt registers. Fails where a kernel spills that is not
# in the list below, so every last rung must do without. Nothing is linked or run.
# usage: tools/hopper_spills.sh [NVCC [FOLDER [JOBS]]]   FOLDER: for what is compiled, default build/hopper; JOBS: default 2
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
nvcc=$(command -v "${1:-nvcc}") || { echo "nvcc was not found" >&2; exit 1; }
folder=${2:-build/hopper}
jobs=${3:-2}

# Kernels that may spill, by file and name: they are no last rung as it is declared.
may_spill() {
  case $1:$2 in
    */launch_bounds.cu:transform\<[45]\>) ;;    # the lesson: 1280 and 1024 threads are more than there are registers for
    */vector_loads.cu:add_vectors\<8,\ 1024\>) ;;  # only if `aisp tune` asks for it; declared are 4 and 256
    *) return 1 ;;
  esac
}

rm -rf "$folder" && mkdir -p "$folder" || exit 1
files=(workloads/*/*.cu labs/*/*.cu)
log_of() { local stem=${1//\//-}; echo "$folder/${stem%.cu}.log"; }
compile() {
  local log
  log=$(log_of "$1")
  nice "$nvcc" -std=c++20 --expt-relaxed-constexpr -O3 -DNDEBUG -I. -DAISP_CUDA_TARGETS='"90a"' \
    -gencode arch=compute_90a,code=sm_90a -Xptxas -v -cubin -o "$log.cubin" "$1" >"$log" 2>&1 ||
    { echo "$1 does not compile:"; cat "$log"; return 1; }
}
running=0
for file in "${files[@]}"; do
  [ $running -lt "$jobs" ] || { wait -n || exit 1; running=$((running - 1)); }
  compile "$file" &
  running=$((running + 1))
done
while [ $running -gt 0 ]; do wait -n || exit 1; running=$((running - 1)); done

# described LOG: a line a kernel: name, registers, stack, bytes spilt. What the kernel calls has lines of its own, without
# "Used".
described() {
  awk '
    /Compiling entry function/ { split($0, part, "\047"); name = part[2]; stack = spilt = 0 }
    /Function properties for/ { of = $NF }
    /bytes stack frame/ && of == name { stack = $1; spilt = $5 + $9 }
    /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print name, substr($0, RSTART + 5, RLENGTH - 5), stack, spilt }' "$1"
}
# readable NAME: without its arguments and namespaces.
readable() {
  c++filt "$1" | sed -E 's/\(anonymous namespace\):://g; s/\([A-Za-z_0-9: ]+\)(-?[0-9])/\1/g;
    s/^void //; s/([A-Za-z_0-9]+::)+//g; s/\(.*//; s/ >/>/g'
}

release=$("$nvcc" --version | sed -n 's/^Cuda.*\(release.*\)/nvcc \1/p')
echo "${#files[@]} files, compiled by $release for sm_90a; nothing was run"
problems=0 kernels=0 spilling=0 forbidden=0
format='%9s %6s %6s  %s\n'
for file in "${files[@]}"; do
  log=$(log_of "$file")
  grep -iE 'warning|performance loss' "$log" && problems=1
  rows=$(described "$log" | while read -r name registers stack spilt; do
    # shellcheck disable=SC2059
    printf "$format" "$registers" "$stack" "$spilt" "$(readable "$name")"
  done | sort -k 4)
  [ -n "$rows" ] || continue
  echo
  echo "$file"
  # shellcheck disable=SC2059
  printf "$format" registers stack spills kernel
  echo "$rows"
  while read -r _ _ spilt name; do
    kernels=$((kernels + 1))
    [ "$spilt" = 0 ] && continue
    spilling=$((spilling + 1))
    may_spill "$file" "$name" || { echo "must not spill: $name"; forbidden=$((forbidden + 1)); problems=1; }
  done <<<"$rows"
done
echo
echo "$kernels kernels, $spilling of them spill, $forbidden that must not"
exit $problems
