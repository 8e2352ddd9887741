#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# benchmarks/gpu/beside_torch.py with two programs that need no GPU: they take turns, alone, and the ratio is theirs.
# usage: tests/tools/beside_torch.sh BESIDE_TORCH
set -uo pipefail

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# A stand-in says who began and who ended; its answers are a row of ones, or twos where OFF says so.
for who in ours theirs; do
  cat >"$place/$who" <<END
#!/usr/bin/env python3
import array, os, random, sys, time
for line in sys.stdin:
    words = line.split()
    if words[0] == "answer":
        wrong = os.environ.get("OFF") == "$who"
        # 0x3f803f80 is 1.0 for one bf16 after the other, and about 1.0 as a float.
        array.array("I", [0x40004000 if wrong else 0x3f803f80] * 4).tofile(open(words[1], "wb"))
        print("written", flush=True)
    elif words[0] == "time":
        with open("$place/turns", "a") as log: log.write("$who begins\n"); log.flush()
        time.sleep(0.001)
        with open("$place/turns", "a") as log: log.write("$who ends\n"); log.flush()
        base = 300 if "$who" == "theirs" else 200
        print(*(base * random.uniform(0.99, 1.01) for _ in range(int(words[2]))), flush=True)
    else:
        print("ready", flush=True)
END
  chmod +x "$place/$who"
done
problems=0
expect() {
  local what=$1
  shift
  "$@" >/dev/null || { echo "not so: $what"; cat "$place/said"; problems=1; }
}
beside() { python3 "$@" "$place/ours" --theirs "$place/theirs" >"$place/said" 2>&1; }

expect "it ends well" beside "$1" --turns 21
expect "all sizes, and 16384 x 8192 first" [ "$(grep -cE '^(softmax|softmax_bf16|rmsnorm) ' "$place/said")" = 23 ]
expect "all sizes, and 16384 x 8192 first" [ "$(sed -n 2p "$place/said" | grep -c 'softmax *16384 x *8192')" = 1 ]
# The medians of five in a turn are within 1 % of what is true, so the intervals are near 1.5.
awk '/ x  \[/ { gsub(/[\[\],]/, ""); n++; if ($7 > $5 || $8 < $5 || $7 < 1.47 || $8 > 1.53) bad = 1 }
     END { exit n != 23 || bad }' "$place/said" || { echo "an interval is not near 1.5"; cat "$place/said"; problems=1; }
# Nobody begins before the other has ended, and either goes first now and then.
awk '{ if (NR % 2 == 1) { if ($2 != "begins") exit 1; who = $1 } else if ($2 != "ends" || $1 != who) exit 1 }' \
  "$place/turns" || { echo "two worked at once"; problems=1; }
# After eight windows of warming up, pairs: each has one turn of every two.
awk '{ if ($2 == "ends") order[++n] = $1 }
     END { for (i = 1; i < n; i += 2) { if (order[i] == order[i + 1]) exit 1; first[order[i]]++ }
           exit !(first["ours"] > 50 && first["theirs"] > 50) }' "$place/turns" ||
  { echo "they do not take turns in random order"; problems=1; }

expect "wrong answers end it" bash -c "! OFF=ours python3 '$1' '$place/ours' --theirs '$place/theirs' --turns 3"
beside "$1" --turns 3 --seconds 0 && { echo "what was not reached is no failure"; problems=1; }
expect "what was not reached is named" grep -q '^# not reached: softmax 16384 x 8192, ' "$place/said"
exit $problems
