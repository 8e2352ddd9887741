#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where neither packages nor a browser can be had, `.ci/run web` is skipped, and fails if it was required.
# usage: tests/web/required.sh CI_RUN
set -euo pipefail

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/.ci"
cp "$1" "$place/.ci/run"
printf '#!/bin/sh\nexit 1\n' >"$place/setup.sh"
chmod +x "$place/setup.sh"
said=$(AISP_REQUIRE_WEB='' "$place/.ci/run" web)
grep -q '^web skipped: ' <<<"$said" || { echo "it was not skipped: $said"; exit 1; }
if said=$(AISP_REQUIRE_WEB=1 "$place/.ci/run" web); then
  echo "it did not fail: $said"
  exit 1
fi
grep -q '^web FAILED ' <<<"$said"
