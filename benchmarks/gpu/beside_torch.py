# SPDX-License-Identifier: Apache-2.0
# Softmax and RMSNorm against what torch.compile makes of the same definition: same memory, same process, rounds in
# random order, time between events with all work of a window queued behind a kernel that waits. The ratio's interval
# is the sign test's over rounds, 99 %.
# usage: beside_torch.py LIBRARY [ROUNDS]   (the variants, built from rows_library.cpp)
import ctypes
import datetime
import math
import random
import statistics
import sys

import torch

rows_library = ctypes.CDLL(sys.argv[1])
rows_library.rows_open.restype = ctypes.c_void_p
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 101
EPSILON = 1e-5
WAIT_CYCLES = 400_000  # longer than the host needs to queue a window


def torch_softmax(x, gain):
    return torch.softmax(x, dim=-1)


def torch_rmsnorm(x, gain):
    return gain * x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + EPSILON)


def opened(workload, rows, cols):
    handle = rows_library.rows_open(workload.encode(), b"one_read", ctypes.c_longlong(rows), ctypes.c_longlong(cols))
    if not handle:
        sys.exit(f"{workload}: no variant one_read in {sys.argv[1]}")
    return ctypes.c_void_p(handle)


def window_ns(call, calls):
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(WAIT_CYCLES)
    start.record()
    for _ in range(calls):
        call()
    stop.record()
    torch.cuda.synchronize()
    return 1e6 * start.elapsed_time(stop) / calls


def interval(values, alpha=0.01):
    ordered, n = sorted(values), len(values)
    tail, k = 0.0, 0
    while tail + math.comb(n, k) / 2**n <= alpha / 2:
        tail += math.comb(n, k) / 2**n
        k += 1
    if k == 0:
        return math.nan, math.nan  # too few rounds for an interval
    return ordered[k - 1], ordered[n - k]


def compare(name, rows, cols):
    x = 4 * torch.randn(rows, cols, device="cuda", dtype=torch.bfloat16 if name.endswith("bf16") else torch.float32)
    width = 2 * x.element_size()  # read once, written once
    gain = torch.rand(cols, device="cuda") + 0.5
    y = torch.empty_like(x)
    tensors = [x, gain, y] if name == "rmsnorm" else [x, y]
    memory = (ctypes.c_void_p * len(tensors))(*[t.data_ptr() for t in tensors])
    handle = opened("ch09/" + name, rows, cols)
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    definition = torch_rmsnorm if name == "rmsnorm" else torch_softmax
    torch._dynamo.reset()  # else the second size is compiled for any size
    compiled = torch.compile(definition, dynamic=False)

    def ours():
        if rows_library.rows_run(handle, memory, stream) != 0:
            sys.exit("the variant could not be queued")

    def theirs():
        return compiled(x, gain)

    expected = theirs()
    ours()
    torch.cuda.synchronize()
    error = ((y.float() - expected.float()).abs() / expected.float().abs().clamp_min(1e-30)).max().item()
    if not error < (2e-2 if name.endswith("bf16") else 1e-4):
        sys.exit(f"{name} {rows} x {cols}: the answers differ by {error:g}")
    del expected
    calls = max(1, round(5e5 / (width * rows * cols / 4e3)))  # about 500 us a window at 4 TB/s
    for call in (ours, theirs) * 5:
        window_ns(call, calls)
    ratios, ours_ns, theirs_ns = [], [], []
    for _ in range(rounds):
        times = {}
        for call in random.sample([ours, theirs], 2):
            times[call] = window_ns(call, calls)
        ratios.append(times[theirs] / times[ours])
        ours_ns.append(times[ours])
        theirs_ns.append(times[theirs])
    rows_library.rows_close(handle)
    low, high = interval(ratios)
    moved = width * rows * cols
    print(f"{name:12} {rows:7} x {cols:6}  {statistics.median(ratios):6.3f} x  [{low:.3f}, {high:.3f}]  "
          f"aisp {moved / statistics.median(ours_ns) / 1e3:5.2f} TB/s  "
          f"torch.compile {moved / statistics.median(theirs_ns) / 1e3:5.2f} TB/s  calls a window {calls}", flush=True)


now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
print(f"# {now}  {torch.cuda.get_device_name()}  torch {torch.__version__}  {rounds} rounds, ratio = torch.compile / aisp")
for name in ("softmax", "softmax_bf16", "rmsnorm"):
    for rows, cols in ((65536, 1024), (32768, 2048), (16384, 4096), (16384, 8192), (4096, 16384), (2048, 32768),
                       (1024, 65536)):
        compare(name, rows, cols)
