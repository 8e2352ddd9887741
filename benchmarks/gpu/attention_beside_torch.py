# SPDX-License-Identifier: Apache-2.0
# Attention and decoding against what PyTorch's users have: cuDNN's attention, forced, and a plain copy. Same memory,
# same process, rounds in random order, time between events with all work of a window queued behind a kernel that
# waits; inputs change from call to call and are more than the L2 cache holds. First every variant is held to the
# reference in double, within the workload's tolerance.
# usage: attention_beside_torch.py LIBRARY [check] [attention] [decode] [ROUNDS]   (built from variant_library.cpp)
import ctypes
import datetime
import math
import random
import statistics
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

library = ctypes.CDLL(sys.argv[1])
library.variant_open.restype = ctypes.c_void_p
parts = [a for a in sys.argv[2:] if not a.isdigit()] or ["check", "attention", "decode"]
rounds = next((int(a) for a in sys.argv[2:] if a.isdigit()), 31)
ATTENTION, DECODE = "ch10/flash_attention_bf16", "ch18/flash_decode"
RUNGS = {ATTENTION: ["three_kernels", "tiled", "wgmma", "overlapped", "in_turns", "cudnn"],
         DECODE: ["block_a_head", "split", "packed", "ring"]}
WAIT_CYCLES = 400_000


def stream():
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)


class Variant:
    def __init__(self, workload, name, **size):
        text = " ".join(f"{k}={v}" for k, v in size.items())
        self.handle = library.variant_open(workload.encode(), name.encode(), text.encode())
        self.name = name

    def __call__(self, *tensors):
        memory = (ctypes.c_void_p * len(tensors))(*[t.data_ptr() for t in tensors])
        if library.variant_run(ctypes.c_void_p(self.handle), memory, stream()) != 0:
            sys.exit(f"{self.name} could not be queued")

    def reference(self, *tensors):
        value = torch.zeros(tensors[-1].shape, device="cuda", dtype=torch.float64)
        scale = torch.zeros_like(value)
        memory = (ctypes.c_void_p * len(tensors))(*[t.data_ptr() for t in tensors])
        tolerance = (ctypes.c_double * 3)()
        wide = [ctypes.c_void_p(t.data_ptr()) for t in (value, scale)]
        if library.reference_run(ctypes.c_void_p(self.handle), memory, *wide, tolerance, stream()) != 0:
            sys.exit("no reference")
        return value, tolerance[0] * value.abs() + tolerance[1] * scale + tolerance[2]

    def close(self):
        library.variant_close(ctypes.c_void_p(self.handle))


def drawn(*shape, spread=1.0):
    return (spread * torch.randn(*shape, device="cuda")).bfloat16()


def in_torch(q, k, v, causal):
    """The definition once more, to hold the reference to."""
    group = q.shape[1] // k.shape[1]
    q, k, v = q.double(), k.double().repeat_interleave(group, 1), v.double().repeat_interleave(group, 1)
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if causal:
        hidden = torch.ones(scores.shape[-2:], device="cuda", dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    return scores.softmax(-1) @ v


def check(workload, size, tensors, expected):
    """Prints the largest error of each variant in units of what is allowed."""
    line, value = [], None
    for name in RUNGS[workload]:
        variant = Variant(workload, name, **size)
        if not variant.handle:
            line.append(f"{name} -")
            continue
        if value is None:
            value, allowed = variant.reference(*tensors)
            wrong = (value - expected).abs().max().item()
            line.append(f"reference {'ok' if wrong < 1e-11 else f'OFF BY {wrong:g}'}")
        tensors[-1].fill_(math.nan)
        for _ in range(2):  # counters end where they began
            variant(*tensors)
        torch.cuda.synchronize()
        worst = ((tensors[-1].double() - value).abs() / allowed.clamp_min(1e-30)).nan_to_num(math.inf).max().item()
        line.append(f"{name} {worst:.2f}{'' if worst <= 1 else ' WRONG'}")
        variant.close()
    print(workload, *(f"{k}={v}" for k, v in size.items()), "|", ", ".join(line), flush=True)


def check_all():
    for batch, kv_heads, group, seq, dim in ((1, 1, 1, 1, 64), (2, 2, 3, 333, 72), (1, 2, 2, 128, 128),
                                             (1, 1, 4, 385, 64), (2, 4, 1, 1000, 128), (1, 1, 2, 200, 33)):
        for causal in (0, 1):
            for spread in (1, 4):
                q, o = (drawn(batch, kv_heads * group, seq, dim, spread=spread) for _ in range(2))
                k, v = (drawn(batch, kv_heads, seq, dim) for _ in range(2))
                size = dict(tokens=batch * seq, seq=seq, kv_heads=kv_heads, group=group, dim=dim, causal=causal)
                check(ATTENTION, size, [q, k, v, o], in_torch(q, k, v, causal))
    for batch, kv_heads, group, context in ((1, 1, 1, 1), (3, 2, 3, 777), (1, 8, 4, 5000), (40, 8, 8, 64),
                                            (7, 5, 4, 1030)):
        q, o = (drawn(batch * kv_heads, group, 128, spread=2) for _ in range(2))
        k, v = (drawn(batch * kv_heads, context, 128) for _ in range(2))
        expected = in_torch(q[:, None], k[:, None], v[:, None], False)[:, 0]
        size = dict(tokens=batch * context, context=context, kv_heads=kv_heads, group=group)
        check(DECODE, size, [q, k, v, o], expected)


def window_ms(call, calls):
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(WAIT_CYCLES)
    start.record()
    for _ in range(calls):
        call()
    stop.record()
    torch.cuda.synchronize()
    return start.elapsed_time(stop) / calls


def interval(values, alpha=0.01):
    ordered, n = sorted(values), len(values)
    tail, k = 0.0, 0
    while tail + math.comb(n, k) / 2**n <= alpha / 2:
        tail += math.comb(n, k) / 2**n
        k += 1
    return (ordered[k - 1], ordered[n - k]) if k > 0 else (math.nan, math.nan)


def compare(calls, anchor, windows):
    """Medians in ms, and of each the anchor's time over its own, with an interval of 99 %."""
    times = {name: [] for name in calls}
    for r in range(rounds + 2):
        for name in random.sample(list(calls), len(calls)):
            ms = window_ms(calls[name], windows)
            if r >= 2:
                times[name].append(ms)
    ratios = {name: [a / b for a, b in zip(times[anchor], times[name])] for name in calls}
    return {name: (statistics.median(times[name]), statistics.median(ratios[name]), interval(ratios[name]))
            for name in calls}


def compare_attention(seq, kv_heads, group, dim, causal, names):
    batch, heads = 16384 // seq, kv_heads * group
    sets = [[drawn(batch, heads, seq, dim), drawn(batch, kv_heads, seq, dim), drawn(batch, kv_heads, seq, dim),
             torch.empty(batch, heads, seq, dim, device="cuda", dtype=torch.bfloat16)] for _ in range(2)]
    size = dict(tokens=16384, seq=seq, kv_heads=kv_heads, group=group, dim=dim, causal=causal)
    count = iter(range(1 << 62))

    def theirs():
        q, k, v, _ = sets[next(count) % 2]
        F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal), enable_gqa=group > 1)

    variants = [v for v in (Variant(ATTENTION, name, **size) for name in names) if v.handle]
    calls = {"torch": theirs} | {v.name: (lambda v=v: v(*sets[next(count) % 2])) for v in variants}
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        found = compare(calls, "torch", 2 if seq < 16384 else 1)
    flops = 4 * batch * heads * dim * seq * (0.5 * (seq + 1) if causal else seq)
    print(f"{'causal' if causal else 'full':6} dim {dim:3} heads {heads}/{kv_heads} seq {seq:5}  torch, cuDNN "
          f"{flops / found['torch'][0] / 1e9:4.0f} |",
          "  ".join(f"{n} {flops / ms / 1e9:4.0f} ({ratio:.3f} [{low:.3f}, {high:.3f}])"
                    for n, (ms, ratio, (low, high)) in found.items() if n != "torch"), flush=True)
    for v in variants:
        v.close()


def compare_decode(batch, context, kv_heads=8, group=4):
    moved = batch * kv_heads * context * 512
    copies = min(6, math.ceil(6e8 / moved))
    sets = [[drawn(batch * kv_heads, group, 128), drawn(batch * kv_heads, context, 128),
             drawn(batch * kv_heads, context, 128),
             torch.empty(batch * kv_heads, group, 128, device="cuda", dtype=torch.bfloat16)] for _ in range(copies)]
    size = dict(tokens=batch * context, context=context, kv_heads=kv_heads, group=group)
    source = torch.empty(moved // 2, device="cuda", dtype=torch.uint8)  # a copy of it moves as many bytes
    copied = torch.empty_like(source)
    count = iter(range(1 << 62))
    variants = [Variant(DECODE, name, **size) for name in RUNGS[DECODE]]
    calls = {"copy": lambda: copied.copy_(source)}
    calls |= {v.name: (lambda v=v: v(*sets[next(count) % copies])) for v in variants}
    found = compare(calls, "copy", 4)
    print(f"decode batch {batch:2} context {context:5}  copy of as many bytes {moved / found['copy'][0] / 1e9:.2f} TB/s |",
          "  ".join(f"{n} {moved / ms / 1e9:.2f} ({ratio:.3f} [{low:.3f}, {high:.3f}], {1e3 * ms:.1f} us)"
                    for n, (ms, ratio, (low, high)) in found.items() if n != "copy"), flush=True)
    for v in variants:
        v.close()


now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
print(f"# {now}  {torch.cuda.get_device_name()}  torch {torch.__version__}  cuDNN {torch.backends.cudnn.version()}  "
      f"{rounds} rounds; in brackets: the anchor's time over the variant's")
torch.manual_seed(1)
if "check" in parts:
    check_all()
if "attention" in parts:
    for dim in (128, 64):
        for causal in (0, 1):
            for seq in (2048, 8192, 16384):
                compare_attention(seq, 16, 1, dim, causal, RUNGS[ATTENTION][1:])
    compare_attention(8192, 4, 4, 128, 1, RUNGS[ATTENTION][2:])
    compare_attention(2048, 16, 1, 128, 0, ["three_kernels", "in_turns"])
if "decode" in parts:
    for batch, context in ((32, 4096), (32, 8192), (64, 4096), (64, 8192), (1, 65536)):
        compare_decode(batch, context)
