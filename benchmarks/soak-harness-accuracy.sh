#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole experiment of benchmarks/README.md; fails when aisp's side does not keep what it promises.
exec "$(dirname "$0")/run_accuracy.sh" "$@"
