#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles labs/blackwell_matmul for the devices it is written for, which the default build does not, and prints what
# ptxas says of each kernel. Fails where a kernel is missing, spills registers or asks for no product. Nothing is run.
# usage: tools/blackwell_compile.sh [NVCC [FOLDER]]   FOLDER: for what is compiled, default build/blackwell
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
nvcc=$(command -v "${1:-nvcc}") || { echo "nvcc was not found" >&2; exit 1; }
folder=${2:-build/blackwell}
kernels=8  # a rung each
source=labs/blackwell_matmul/blackwell_matmul.cu

mkdir -p "$folder" || exit 1
echo "$source, compiled by $("$nvcc" --version | sed -n 's/^Cuda.*\(release.*\)/nvcc \1/p'); nothing was run"
format='%-7s %9s %6s %6s %4s %7s %7s  %s\n'
# shellcheck disable=SC2059
printf "$format" target registers stack spills mma commits loads kernel

# counted PTX: what each kernel has of an instruction, one line a kernel: its name and three counts.
counted() {
  awk '
    /\.entry / { name = $0; sub(/.*\.entry /, "", name); sub(/\(.*/, "", name) }
    /tcgen05\.mma\./ { mma[name]++ }
    /tcgen05\.commit\./ { commits[name]++ }
    /tcgen05\.ld\./ { loads[name]++ }
    END { for (each in mma) print each, mma[each], commits[each] + 0, loads[each] + 0 }' "$1" | sort
}
# described LOG: what ptxas says of each, in the same form: registers, stack, bytes spilt.
described() {
  awk '
    /Compiling entry function/ { split($0, part, "\047"); name = part[2] }
    /bytes stack frame/ { stack = $1; spilt = $5 + $9 }
    /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print name, substr($0, RSTART + 5, RLENGTH - 5), stack, spilt }' \
    "$1" | sort
}

problems=0
for target in 100a 103a; do
  ptx=$folder/sm_$target.ptx log=$folder/sm_$target.log
  "$nvcc" -std=c++20 --expt-relaxed-constexpr -O3 -Werror=all-warnings -I. -DAISP_CUDA_TARGETS='"100a, 103a"' \
    -arch "compute_$target" -ptx -o "$ptx" "$source" || exit 1
  "$(dirname "$nvcc")/ptxas" -v -O3 -arch "sm_$target" -o "$folder/sm_$target.cubin" "$ptx" 2>"$log" || { cat "$log"; exit 1; }
  grep -iE 'warning|performance loss' "$log" && problems=1
  found=0
  while read -r name registers stack spilt mma commits loads; do
    # shellcheck disable=SC2059
    printf "$format" "sm_$target" "$registers" "$stack" "$spilt" "$mma" "$commits" "$loads" \
      "$(c++filt "$name" | sed -E 's/aisp::blackwell_matmul:://g; s/^void //; s/\(CUtensorMap.*//')"
    found=$((found + 1))
    [ "$spilt" = 0 ] || { echo "which spills registers"; problems=1; }
  done < <(join <(described "$log") <(counted "$ptx"))
  [ $found = $kernels ] || { echo "sm_$target: $found kernels with matrix instructions instead of $kernels"; problems=1; }
done
exit $problems
