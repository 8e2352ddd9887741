#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program with CUDA in it, on a machine without a GPU: it starts, lists what it cannot run and says why.
# usage: tests/tools/without_gpu.sh AISP
set -uo pipefail

aisp=$1
if [ -e /proc/driver/nvidia/version ]; then
  echo "this machine has an NVIDIA driver: nothing to see here"
  exit 0
fi
problems=0
AISP_STORE=$(mktemp -u)
export AISP_STORE
reason='no NVIDIA driver is loaded on this machine'
# says TEXT COMMAND...: among what it prints, however it ends; nobody was killed by a signal.
says() {
  local text=$1 said code
  shift
  said=$("$@" 2>&1)
  code=$?
  grep -qF "$text" <<<"$said" && [ $code -lt 128 ] && return
  echo "'${*:2}' does not say '$text', exit $code:"
  head -n 5 <<<"$said"
  problems=1
}

ladders=$("$aisp" list --device cuda | grep -cE '^[a-z0-9_]+/[a-z0-9_]+ +cuda ')
[ "$ladders" -ge 40 ] || { echo "only $ladders ladders for CUDA are listed"; problems=1; }
says "Those for cuda cannot run here: $reason." "$aisp" list --device cuda
says "Those for cuda cannot run here: $reason." "$aisp" list
says 'compiled, not run: two blocks multiply 256 x 256' "$aisp" list labs/blackwell_matmul
says 'cuda:0 is not available' "$aisp" run ch07/transpose --device cuda:0
says 'cuda:0 is not available' "$aisp" peak --device cuda:0 --no-store
says 'variants for CUDA cannot run here' "$aisp" doctor
if "$aisp" run ch07/transpose --device cuda:0 >/dev/null 2>&1; then
  echo "a run on a GPU that is not there ends well"
  problems=1
fi
# What needs no GPU works as ever.
says 'ok' "$aisp" verify ch07/transpose --suite small
rm -f "$AISP_STORE"*
[ $problems = 0 ] && echo "without a GPU $ladders ladders for CUDA are listed as unavailable, with the reason"
exit $problems
