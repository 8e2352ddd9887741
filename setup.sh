#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what aisp needs on Debian 12 or newer and on Ubuntu 24.04 or newer. Safe to run again: when nothing is
# missing it takes a fraction of a second and needs neither root nor the network.
#
#   ./setup.sh build          compiler and libraries: enough for `make bench`
#   ./setup.sh build test     also what `make test`, `make check` and `make coverage` use
#   ./setup.sh web            what `make web` builds and tests the dashboard with
#   ./setup.sh compare        what benchmarks/ compares aisp with
#   ./setup.sh list [GROUP]   only prints the packages
set -euo pipefail

# "a|b" takes the first that the distribution has.
build_packages=(
  g++ cmake ninja-build ccache
  libcli11-dev libfmt-dev nlohmann-json3-dev libtomlplusplus-dev
  libsqlite3-dev libhwloc-dev nettle-dev libpugixml-dev libncurses-dev "libboost1.81-dev|libboost-dev"
)
# Opened at run time by the anchors. Without them the product works and the anchors' rows say what is missing.
anchor_packages=("libopenblas0-pthread" "libdnnl2|libdnnl3")
test_packages=(
  libgtest-dev
  clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev
  gcovr shellcheck tmux
  postgresql
  slurmctld slurmd slurm-client munge openmpi-bin
)
# Node packages from elsewhere bring npm along; only Debian's needs a package for it.
web_packages=(nodejs)
command -v npm >/dev/null || web_packages+=(npm)
command -v "${CHROMIUM:-chromium}" >/dev/null || web_packages+=("chromium|chromium-browser")  # CHROMIUM names one that is there
compare_packages=(libbenchmark-dev)

installed() {
  local name
  for name in ${1//|/ }; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] && return 0
  done
  return 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo -- "$@"
  fi
}

# Mirrors answer "too many requests" at times; waiting helps.
with_retries() {
  local try
  for try in 1 2 3 4; do
    "$@" && return 0
    [ "$try" = 4 ] || { echo "setup: attempt $try failed, trying again in $((try * 5)) s" >&2; sleep $((try * 5)); }
  done
  return 1
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=5 -o Dpkg::Use-Pty=0 "$@"
}

available() {
  local name
  for name in ${1//|/ }; do
    if apt-cache show --no-all-versions "$name" >/dev/null 2>&1; then
      echo "$name"
      return 0
    fi
  done
  return 1
}

[ $# -gt 0 ] || set -- build test
only_list=no
[ "$1" != list ] || { only_list=yes; shift; [ $# -gt 0 ] || set -- build test; }
needed=()
optional=()
for group in "$@"; do
  case $group in
    build) needed+=("${build_packages[@]}"); optional+=("${anchor_packages[@]}") ;;
    test) needed+=("${test_packages[@]}") ;;
    web) needed+=("${web_packages[@]}") ;;
    compare) needed+=("${compare_packages[@]}") ;;
    *) echo "setup: there is no group '$group'; the groups are build, test, web and compare" >&2; exit 2 ;;
  esac
done
if [ $only_list = yes ]; then
  printf '%s\n' "${needed[@]}" ${optional[@]+"${optional[@]}"}
  exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  cat >&2 <<MESSAGE
setup: this is not a Debian or Ubuntu system. Install these or their equivalents yourself, then run make again with
       SETUP=true (a C++20 compiler, CMake 3.25 and static libraries of sqlite3, hwloc, nettle, pugixml and ncurses are needed):
       ${needed[*]}
       optional, for the anchors: ${optional[*]-}
MESSAGE
  exit 1
fi

missing=()
for package in "${needed[@]}"; do
  installed "$package" || missing+=("$package")
done
# An optional package that this distribution is known not to have is no reason to ask the network every time.
for package in ${optional[@]+"${optional[@]}"}; do
  if ! installed "$package" && { [ ${#missing[@]} != 0 ] || available "$package" >/dev/null; }; then
    missing+=("$package")
  fi
done
if [ ${#missing[@]} = 0 ]; then
  exit 0
fi

if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
  echo "setup: these packages are missing and installing them needs root or sudo: ${missing[*]}" >&2
  exit 1
fi
echo "setup: installing ${missing[*]}"
with_retries apt update
chosen=()
for package in "${missing[@]}"; do
  if name=$(available "$package"); then
    chosen+=("$name")
  elif [[ " ${optional[*]-} " == *" $package "* ]]; then
    echo "setup: $package is not in this distribution; the anchor that uses it is left out" >&2
  else
    echo "setup: $package is not in this distribution (Debian 12 or Ubuntu 24.04 or newer is needed)" >&2
    exit 1
  fi
done
# The tests start a PostgreSQL server and a Slurm of their own; those of the packages need not run.
policy=/usr/sbin/policy-rc.d
if [[ " ${chosen[*]-} " =~ " "(postgresql|slurmctld|slurmd|munge)" " ]] && [ ! -e $policy ]; then
  printf '#!/bin/sh\nexit 101\n' | as_root tee $policy >/dev/null
  as_root chmod 755 $policy
  trap 'as_root rm -f "$policy"' EXIT
fi
[ ${#chosen[@]} = 0 ] || with_retries apt install -y --no-install-recommends "${chosen[@]}"
