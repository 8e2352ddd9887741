# SPDX-License-Identifier: Apache-2.0
# Softmax and RMSNorm against what torch.compile makes of the same definition: two processes that take turns, in one
# sitting. One is rows_turns, this project's kernels; the other is this file with --serve, in Python with PyTorch. In a
# turn each of them, in random order, times a few windows alone, between events with all work of a window queued behind
# a kernel that waits; its figure is their median. The ratio's interval is the sign test's over turns, 99 %. A copy
# of as many bytes takes its turn too, in rows_turns: the share of its speed that either has is of the same turns.
# usage: beside_torch.py ROWS_TURNS [--turns N] [--seconds S] [--theirs PROGRAM]
#   --turns: of each size (41). --seconds: no size is begun after that (105); those that were not are named, and it is a
#   failure. --theirs: another program that is asked as rows_turns is, instead of PyTorch.
import argparse
import array
import datetime
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

WINDOWS = 5  # of a turn
WINDOW_NS = 5e5
WAIT_CYCLES = 400_000  # as in rows_turns.cu
EPSILON = 1e-5
# What is claimed first: the run may end before the last.
SIZES = ((16384, 8192), (65536, 1024), (8192, 32768), (32768, 2048), (16384, 4096), (4096, 16384), (2048, 32768),
         (1024, 65536))
CASES = [("softmax", size) for size in SIZES] + [("softmax_bf16", size) for size in SIZES] + \
        [("rmsnorm", size) for size in SIZES if size != (8192, 32768)]


def serve():
    """Answers as rows_turns does, with what torch.compile makes of the definitions."""
    import torch

    def even(count, low, high):  # as `fill` in rows_turns.cu
        i = torch.arange(count, device="cuda", dtype=torch.int64)
        return (low + (high - low) * ((i * 2654435761 & 0xffffffff).double() / 4294967296.0)).float()

    def softmax(x, gain):
        return torch.softmax(x, dim=-1)

    def rmsnorm(x, gain):
        return gain * x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + EPSILON)

    def window_ns(call, calls):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(WAIT_CYCLES)
        start.record()
        for _ in range(calls):
            call()
        stop.record()
        torch.cuda.synchronize()
        return 1e6 * start.elapsed_time(stop) / calls

    call = None
    for line in sys.stdin:
        what, *words = line.split()
        if what == "about":
            answer = f"{torch.cuda.get_device_name()}, torch {torch.__version__}"
        elif what == "open":
            workload, rows, cols = words[0], int(words[1]), int(words[2])
            call = x = gain = None
            torch.cuda.empty_cache()
            kind = torch.bfloat16 if workload.endswith("bf16") else torch.float32
            x = even(rows * cols, -4, 4).to(kind).reshape(rows, cols)
            gain = even(cols, 0.5, 1.5)
            torch._dynamo.reset()  # else the second size is compiled for any size
            compiled = torch.compile(rmsnorm if workload.endswith("rmsnorm") else softmax, dynamic=False)
            call = lambda: compiled(x, gain)
            call()
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
            answer = "ready"
        elif what == "time":
            window_ns(call, int(words[0]))  # the other program has had the device
            answer = " ".join(str(window_ns(call, int(words[0]))) for _ in range(int(words[1])))
        else:
            call()[-1].contiguous().view(torch.uint8).cpu().numpy().tofile(words[0])
            answer = "written"
        print(answer, flush=True)


class Program:
    def __init__(self, command):
        self.name = command[-1]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit(f"{self.name} did not answer '{line}'")
        return answer

    def time_ns(self, calls, what="time"):
        return statistics.median(float(word) for word in self.ask(f"{what} {calls} {WINDOWS}").split())

    def last_row(self, bf16):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "row")
            self.ask("answer " + path)
            with open(path, "rb") as file:
                raw = file.read()
        if not bf16:
            return array.array("f", raw)
        wide = array.array("I", (half << 16 for half in array.array("H", raw)))
        return array.array("f", wide.tobytes())


def interval(values, alpha=0.01):
    ordered, n = sorted(values), len(values)
    tail, k = 0.0, 0
    while tail + math.comb(n, k) / 2**n <= alpha / 2:
        tail += math.comb(n, k) / 2**n
        k += 1
    if k == 0:
        return math.nan, math.nan  # too few turns for an interval
    return ordered[k - 1], ordered[n - k]


def compare(ours, theirs, name, rows, cols, turns):
    bf16 = name.endswith("bf16")
    answers = [program.ask(f"open ch09/{name} {rows} {cols}") for program in (ours, theirs)]
    mine, other = ours.last_row(bf16), theirs.last_row(bf16)
    error = max(abs(a - b) / max(abs(b), 1e-30) for a, b in zip(mine, other, strict=True))
    if not error < (2e-2 if bf16 else 1e-4):
        sys.exit(f"{name} {rows} x {cols}: the answers differ by {error:g}")
    moved = (4 if bf16 else 8) * rows * cols  # read once, written once
    calls = max(1, round(WINDOW_NS / (moved / 4e3)))  # at 4 TB/s
    sides = {"aisp": (ours, "time"), "torch.compile": (theirs, "time")}
    if "copy" in answers[0].split():  # not every stand-in has one
        sides["copy"] = (ours, "copy")
    for program, what in list(sides.values()) * 2:
        program.time_ns(calls, what)
    figures = {side: [] for side in sides}
    for _ in range(turns):
        for side in random.sample(list(sides), len(sides)):
            program, what = sides[side]
            figures[side].append(program.time_ns(calls, what))

    def ratio(above, below):
        ratios = [a / b for a, b in zip(figures[above], figures[below], strict=True)]
        low, high = interval(ratios)
        return statistics.median(ratios), f"[{low:.3f}, {high:.3f}]"

    rate = {side: moved / statistics.median(ns) / 1e3 for side, ns in figures.items()}
    median, limits = ratio("torch.compile", "aisp")
    line = [f"{name:12} {rows:7} x {cols:6}  {median:6.3f} x  {limits}"]
    line += [f"{side} {rate[side]:5.2f} TB/s" for side in sides]
    if "copy" in sides:
        shares = {side: ratio("copy", side) for side in ("aisp", "torch.compile")}
        line += [f"{side} / copy {median:.3f} {limits}" for side, (median, limits) in shares.items()]
    else:
        line.append("no copy")
    print("  ".join(line), f" calls a window {calls}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rows_turns")
    parser.add_argument("--turns", type=int, default=41)
    parser.add_argument("--seconds", type=float, default=105)
    parser.add_argument("--theirs")
    options = parser.parse_args()
    began = time.monotonic()
    ours = Program([options.rows_turns])
    theirs = Program([options.theirs] if options.theirs else [sys.executable, os.path.abspath(__file__), "--serve"])
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    print(f"# {now}  {theirs.ask('about')}  {options.turns} turns of two processes, {WINDOWS} windows each, "
          "ratio = torch.compile / aisp in time, / copy: of a copy's speed", flush=True)
    left = list(CASES)
    while left and time.monotonic() - began < options.seconds:
        name, (rows, cols) = left.pop(0)
        compare(ours, theirs, name, rows, cols, options.turns)
    print(f"# {time.monotonic() - began:.0f} s")
    if left:
        print("# not reached: " + ", ".join(f"{name} {rows} x {cols}" for name, (rows, cols) in left))
        sys.exit(1)


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["--serve"] else main()
