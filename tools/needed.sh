#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fails if a program needs a shared library besides glibc's and libstdc++'s: it must run where nothing can be installed.
# usage: tools/needed.sh PROGRAM
set -euo pipefail

allowed='^(libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|ld-linux[a-z0-9-]*)\.so\.[0-9]+$'
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
echo "$1 ($(stat -c %s "$1") bytes) needs:" "$(echo "$needed" | tr '\n' ' ')"
if others=$(echo "$needed" | grep -vE "$allowed"); then
  echo "which is more than glibc and libstdc++: $others" >&2
  exit 1
fi
