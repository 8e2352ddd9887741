# SPDX-License-Identifier: Apache-2.0
# What Triton's do_bench says about the self-timed spin kernel, as lines "do_bench BLOCKS SPIN TRUTH REPORTED" in ns.
# usage: do_bench.py LIBRARY   (the spin kernel, built from spin_library.cu)
import ctypes
import statistics
import sys

import torch
from triton.testing import do_bench

spin = ctypes.CDLL(sys.argv[1])
spin.spin_truth.restype = ctypes.c_double
torch.cuda.init()
stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)


def launch(ns, blocks):
    if spin.spin_launch(ctypes.c_ulonglong(ns), ctypes.c_uint(blocks), stream) != 0:
        sys.exit("the spin kernel could not be launched")


def truth(ns, blocks):
    seen = []
    for _ in range(101):
        spin.spin_reset()
        launch(ns, blocks)
        torch.cuda.synchronize()
        seen.append(spin.spin_truth())
    return statistics.median(seen)


for blocks in (1, 132, 1056):
    for ns in (1000, 2000, 5000, 10000, 50000):
        true_ns = truth(ns, blocks)
        reported = 1e6 * do_bench(lambda: launch(ns, blocks), warmup=50, rep=200, return_mode="median")
        print("do_bench", blocks, ns, round(true_ns), round(reported))
