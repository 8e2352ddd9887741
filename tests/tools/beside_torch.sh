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
    elif words[0] in ("time", "copy"):
        who = "$who" if words[0] == "time" else "copy"
        with open("$place/turns", "a") as log: log.write(who + " begins\n"); log.flush()
        time.sleep(0.001)
        with open("$place/turns", "a") as log: log.write(who + " ends\n"); log.flush()
        base = {"theirs": 300, "ours": 200, "copy": 150}[who]
        print(*(base * random.uniform(0.99, 1.01) for _ in range(int(words[2]))), flush=True)
    else:
        print("ready copy" if "$who" == "ours" and "NO_COPY" not in os.environ else "ready", flush=True)
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
# A copy takes 150, so the shares of its speed are near 0.75 and 0.5.
awk '/ copy / { n++; match($0, /aisp \/ copy [0-9.]+ \[[0-9.]+, [0-9.]+\]/); split(substr($0, RSTART, RLENGTH), a, /[][ ,]+/)
       match($0, /torch.compile \/ copy [0-9.]+/); split(substr($0, RSTART, RLENGTH), t, " ")
       if (a[4] < 0.735 || a[4] > 0.765 || a[5] > a[4] || a[6] < a[4] || t[4] < 0.49 || t[4] > 0.51) bad = 1 }
     END { exit n != 23 || bad }' <(grep -v '^#' "$place/said") ||
  { echo "a share of a copy is not what it is"; cat "$place/said"; problems=1; }
# Nobody begins before the other has ended, and either goes first now and then.
awk '{ if (NR % 2 == 1) { if ($2 != "begins") exit 1; who = $1 } else if ($2 != "ends" || $1 != who) exit 1 }' \
  "$place/turns" || { echo "two worked at once"; problems=1; }
# Each has one turn of every three.
awk '{ if ($2 == "ends") order[++n] = $1 }
     END { for (i = 1; i < n; i += 3) { delete seen; for (k = 0; k < 3; k++) seen[order[i + k]]++
             if (length(seen) != 3) exit 1; first[order[i]]++ }
           exit !(first["ours"] > 50 && first["theirs"] > 50 && first["copy"] > 50) }' "$place/turns" ||
  { echo "they do not take turns in random order"; problems=1; }

NO_COPY=1 beside "$1" --turns 3
expect "that there was no copy is said" [ "$(grep -c '  no copy  ' "$place/said")" = 23 ]
expect "wrong answers end it" bash -c "! OFF=ours python3 '$1' '$place/ours' --theirs '$place/theirs' --turns 3"
beside "$1" --turns 3 --seconds 0 && { echo "what was not reached is no failure"; problems=1; }
expect "what was not reached is named" grep -q '^# not reached: softmax 16384 x 8192, ' "$place/said"
exit $problems
