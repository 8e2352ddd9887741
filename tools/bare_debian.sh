#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the binary to hand out where nothing was ever installed: in a Debian of essential packages alone, without a
# compiler and without any -dev package.  usage, as root: tools/bare_debian.sh build/release/aisp
set -euo pipefail

if [ $# != 1 ] || [ ! -x "$1" ]; then
  echo "usage: tools/bare_debian.sh BINARY, built by make release" >&2
  exit 2
fi
[ "$(id -u)" = 0 ] || { echo "bare_debian: debootstrap and chroot need root" >&2; exit 4; }
command -v debootstrap >/dev/null || { echo "bare_debian: install the package debootstrap" >&2; exit 4; }

# The mirror that this machine uses, or debootstrap's own.
mirror=$(awk '/^URIs:/ {print $2; exit}' /etc/apt/sources.list.d/*.sources 2>/dev/null || true)
[ -n "$mirror" ] || mirror=$(awk '/^deb / {print $2; exit}' /etc/apt/sources.list 2>/dev/null || true)
suite=${SUITE:-bookworm}
root=$(mktemp -d)
cleanup() {
  umount -l "$root/proc" "$root/sys" "$root/dev" 2>/dev/null || true
  rm -rf --one-file-system "$root" "$root.log"
}
trap cleanup EXIT

echo "Debian $suite, essential packages alone"
debootstrap --variant=minbase "$suite" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 ||
  { tail -n 3 "$root.log" >&2; exit 7; }
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sys "$root/sys"
mount --bind /dev "$root/dev"
install -m 755 "$1" "$root/usr/local/bin/aisp"

inside() {
  echo "\$ $*" >&2
  chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin TERM=dumb "$@"
}
if inside dpkg --get-selections | cut -f 1 | grep -E -e '-dev(:|$)|^(gcc|g\+\+|clang)(-[0-9]+)?$'; then
  echo "bare_debian: that is not bare" >&2
  exit 1
fi
inside aisp list ch07
inside aisp verify ch07/transpose --suite small
# What a guard or the judge says of this machine (1, 4 and 9) is theirs to say: here the program must work.
code=0
inside aisp run ch07/transpose --suite small --cell-seconds 3 --no-color --quiet || code=$?
case $code in
  0 | 1 | 4 | 9) ;;
  *) echo "bare_debian: aisp run ended with exit code $code" >&2; exit "$code" ;;
esac
inside aisp report --output /root/report.html
inside aisp export --format csv >"$root/samples.csv"
echo "$(wc -l <"$root/samples.csv") lines of samples, a report of $(wc -c <"$root/root/report.html") bytes"
