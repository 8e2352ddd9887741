// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/bandwidth_probes.h"

#include <cstdint>
#include <cstring>

namespace aisp::device {
namespace {

// Keeps the compiler from merging passes or from leaving stores out whose result nobody reads.
void forget_memory() { asm volatile("" : : : "memory"); }

void memset_libc(const ProbeArrays& x, std::size_t passes) {
  for (std::size_t i = 0; i < passes; ++i) {
    std::memset(x.a, static_cast<int>(i), x.bytes);
    forget_memory();
  }
}
void memcpy_libc(const ProbeArrays& x, std::size_t passes) {
  for (std::size_t i = 0; i < passes; ++i) {
    std::memcpy(x.a, x.b, x.bytes);
    forget_memory();
  }
}

#if defined(__x86_64__)

#define AISP_CLOBBERS                                                                                      \
  "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
      "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#define AISP_8(STEP) STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
#define AISP_16(STEP) AISP_8(STEP) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)

/// One pass after another over [0, bytes): p counts bytes, BODY moves STRIDE of them from each base register.
#define AISP_LOOP(NAME, START, BODY, STRIDE, END)                                                          \
  void NAME(const ProbeArrays& x, std::size_t passes) {                                                    \
    asm volatile(START : : : AISP_CLOBBERS);                                                               \
    for (std::size_t i = 0; i < passes; ++i) {                                                             \
      std::size_t at = 0;                                                                                  \
      asm volatile(".p2align 5\n1:\n\t" BODY "add $" #STRIDE ", %[at]\n\tcmp %[bytes], %[at]\n\tjb 1b\n\t" \
                   : [at] "+r"(at)                                                                         \
                   : [a] "r"(x.a), [b] "r"(x.b), [c] "r"(x.c), [bytes] "r"(x.bytes)                        \
                   : AISP_CLOBBERS);                                                                       \
    }                                                                                                      \
    asm volatile(END : : : "memory");                                                                      \
  }
/// Four streams: the array in quarters, read side by side, each with its own run of the hardware prefetchers.
#define AISP_LOOP4(NAME, START, BODY, STRIDE, END)                                                         \
  void NAME(const ProbeArrays& x, std::size_t passes) {                                                    \
    const std::size_t quarter = x.bytes / 4;                                                               \
    asm volatile(START : : : AISP_CLOBBERS);                                                               \
    for (std::size_t i = 0; i < passes; ++i) {                                                             \
      std::size_t at = 0;                                                                                  \
      asm volatile(".p2align 5\n1:\n\t" BODY "add $" #STRIDE ", %[at]\n\tcmp %[bytes], %[at]\n\tjb 1b\n\t" \
                   : [at] "+r"(at)                                                                         \
                   : [a] "r"(x.a), [b] "r"(x.a + quarter), [c] "r"(x.a + 2 * quarter),                     \
                     [d] "r"(x.a + 3 * quarter), [bytes] "r"(quarter)                                      \
                   : AISP_CLOBBERS);                                                                       \
    }                                                                                                      \
    asm volatile(END : : : "memory");                                                                      \
  }

// Zeros are what gets written: bits left over from other code could be denormal numbers, which some
// processors are slow to multiply, and they would stay in the memory that the triad reads.
#define ZERO(i) "pxor %%xmm" #i ", %%xmm" #i "\n\t"
#define ZERO_VEX(i) "vpxor %%xmm" #i ", %%xmm" #i ", %%xmm" #i "\n\t"

// The upper halves of wide registers are left clean, or later scalar code would pay.
#define AISP_VEX_END "vzeroupper"
#define AISP_NT_END "sfence\n\tvzeroupper"

// ---- Read: loads alone, 16 registers
// ----------------------------------------------------------------------------
#define READ512(i) "vmovaps 64*" #i "(%[a],%[at]), %%zmm" #i "\n\t"
#define READ256(i) "vmovaps 32*" #i "(%[a],%[at]), %%ymm" #i "\n\t"
#define READ128(i) "movaps 16*" #i "(%[a],%[at]), %%xmm" #i "\n\t"
AISP_LOOP(read_avx512, AISP_16(ZERO_VEX), AISP_16(READ512), 1024, AISP_VEX_END)
AISP_LOOP(read_avx2, AISP_16(ZERO_VEX), AISP_16(READ256), 512, AISP_VEX_END)
AISP_LOOP(read_sse2, AISP_16(ZERO), AISP_16(READ128), 256, "")

// Loads folded into another instruction cost no more to decode than the instruction alone.
#define OR512(i) "vpord 64*" #i "(%[a],%[at]), %%zmm" #i ", %%zmm" #i "\n\t"
#define OR256(i) "vpor 32*" #i "(%[a],%[at]), %%ymm" #i ", %%ymm" #i "\n\t"
AISP_LOOP(read_avx512_or, AISP_16(ZERO_VEX), AISP_16(OR512), 1024, AISP_VEX_END)
AISP_LOOP(read_avx2_or, AISP_16(ZERO_VEX), AISP_16(OR256), 512, AISP_VEX_END)

#define AHEAD(i) "prefetcht0 2048+64*" #i "(%[a],%[at])\n\t"
#define READ512_AHEAD(i) AHEAD(i) READ512(i)
#define READ256_AHEAD(i) "prefetcht0 2048+32*" #i "(%[a],%[at])\n\t" READ256(i)
AISP_LOOP(read_avx512_ahead, AISP_16(ZERO_VEX), AISP_16(READ512_AHEAD), 1024, AISP_VEX_END)
AISP_LOOP(read_avx2_ahead, AISP_16(ZERO_VEX), AISP_16(READ256_AHEAD), 512, AISP_VEX_END)

#define READ512_ABCD(i)                                                                              \
  "vmovaps 64*" #i "(%[a],%[at]), %%zmm0\n\tvmovaps 64*" #i "(%[b],%[at]), %%zmm1\n\tvmovaps 64*" #i \
  "(%[c],%[at]), %%zmm2\n\tvmovaps 64*" #i "(%[d],%[at]), %%zmm3\n\t"
#define READ256_ABCD(i)                                                                              \
  "vmovaps 32*" #i "(%[a],%[at]), %%ymm0\n\tvmovaps 32*" #i "(%[b],%[at]), %%ymm1\n\tvmovaps 32*" #i \
  "(%[c],%[at]), %%ymm2\n\tvmovaps 32*" #i "(%[d],%[at]), %%ymm3\n\t"
AISP_LOOP4(read_avx512_4, AISP_16(ZERO_VEX), AISP_8(READ512_ABCD), 512, AISP_VEX_END)
AISP_LOOP4(read_avx2_4, AISP_16(ZERO_VEX), AISP_8(READ256_ABCD), 256, AISP_VEX_END)

// Sixteen pages side by side, and the same line of the next sixteen asked for meanwhile: prefetchers follow
// each page by itself, so this keeps more lines in flight than any one stream (ch07/reduction reads this
// way).
#define READ_PAGE(i)                                             \
  "prefetcht0 65536+4096*" #i "(%[a],%[at])\n\tvmovaps 4096*" #i \
  "(%[a],%[at]), %%ymm0\n\t"                                     \
  "vmovaps 32+4096*" #i "(%[a],%[at]), %%ymm1\n\t"
AISP_LOOP(read_sixteen_pages, AISP_16(ZERO_VEX), AISP_16(READ_PAGE), 64, AISP_VEX_END)
void read_avx2_pages(const ProbeArrays& x, std::size_t passes) {
  for (std::size_t i = 0; i < passes; ++i) {
    std::size_t at = 0;
    for (; at + 16 * kProbeBlock <= x.bytes; at += 16 * kProbeBlock)
      read_sixteen_pages({x.a + at, nullptr, nullptr, kProbeBlock}, 1);
    if (at < x.bytes) read_avx2({x.a + at, nullptr, nullptr, x.bytes - at}, 1);
  }
}

// ---- Write
// ------------------------------------------------------------------------------------------------------
#define WRITE512(i) "vmovaps %%zmm" #i ", 64*" #i "(%[a],%[at])\n\t"
#define WRITE256(i) "vmovaps %%ymm" #i ", 32*" #i "(%[a],%[at])\n\t"
#define WRITE128(i) "movaps %%xmm" #i ", 16*" #i "(%[a],%[at])\n\t"
#define STREAM512(i) "vmovntps %%zmm" #i ", 64*" #i "(%[a],%[at])\n\t"
#define STREAM256(i) "vmovntps %%ymm" #i ", 32*" #i "(%[a],%[at])\n\t"
#define STREAM128(i) "movntps %%xmm" #i ", 16*" #i "(%[a],%[at])\n\t"
AISP_LOOP(write_avx512, AISP_16(ZERO_VEX), AISP_16(WRITE512), 1024, AISP_VEX_END)
AISP_LOOP(write_avx2, AISP_16(ZERO_VEX), AISP_16(WRITE256), 512, AISP_VEX_END)
AISP_LOOP(write_sse2, AISP_16(ZERO), AISP_16(WRITE128), 256, "")
AISP_LOOP(write_avx512_nt, AISP_16(ZERO_VEX), AISP_16(STREAM512), 1024, AISP_NT_END)
AISP_LOOP(write_avx2_nt, AISP_16(ZERO_VEX), AISP_16(STREAM256), 512, AISP_NT_END)
AISP_LOOP(write_sse2_nt, AISP_16(ZERO), AISP_16(STREAM128), 256, "sfence")

void write_rep(const ProbeArrays& x, std::size_t passes) {
  for (std::size_t i = 0; i < passes; ++i) {
    void* to = x.a;
    std::size_t bytes = x.bytes;
    asm volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(0) : "memory");
  }
}

// ---- Copy
// -------------------------------------------------------------------------------------------------------
#define COPY512(i) "vmovaps 64*" #i "(%[b],%[at]), %%zmm" #i "\n\t"
#define COPY256(i) "vmovaps 32*" #i "(%[b],%[at]), %%ymm" #i "\n\t"
#define COPY128(i) "movaps 16*" #i "(%[b],%[at]), %%xmm" #i "\n\t"
#define COPY512_PAIR(i) COPY512(i) WRITE512(i)
#define COPY256_PAIR(i) COPY256(i) WRITE256(i)
AISP_LOOP(copy_avx512, AISP_16(ZERO_VEX), AISP_8(COPY512) AISP_8(WRITE512), 512, AISP_VEX_END)
AISP_LOOP(copy_avx512_pairs, AISP_16(ZERO_VEX), AISP_16(COPY512_PAIR), 1024, AISP_VEX_END)
AISP_LOOP(copy_avx2, AISP_16(ZERO_VEX), AISP_8(COPY256) AISP_8(WRITE256), 256, AISP_VEX_END)
AISP_LOOP(copy_avx2_pairs, AISP_16(ZERO_VEX), AISP_16(COPY256_PAIR), 512, AISP_VEX_END)
AISP_LOOP(copy_sse2, AISP_16(ZERO), AISP_8(COPY128) AISP_8(WRITE128), 128, "")
AISP_LOOP(copy_avx512_nt, AISP_16(ZERO_VEX), AISP_16(COPY512) AISP_16(STREAM512), 1024, AISP_NT_END)
AISP_LOOP(copy_avx2_nt, AISP_16(ZERO_VEX), AISP_16(COPY256) AISP_16(STREAM256), 512, AISP_NT_END)
AISP_LOOP(copy_sse2_nt, AISP_16(ZERO), AISP_16(COPY128) AISP_16(STREAM128), 256, "sfence")

void copy_rep(const ProbeArrays& x, std::size_t passes) {
  for (std::size_t i = 0; i < passes; ++i) {
    void* to = x.a;
    const void* from = x.b;
    std::size_t bytes = x.bytes;
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
  }
}

// ---- Triad: a = b + s c, s in register 15
// -----------------------------------------------------------------------
#define TRIAD512(i)                                                                                    \
  "vmovaps 64*" #i "(%[c],%[at]), %%zmm" #i "\n\tvfmadd213ps 64*" #i "(%[b],%[at]), %%zmm15, %%zmm" #i \
  "\n"                                                                                                 \
  "\t"
#define TRIAD256(i)                                                                                    \
  "vmovaps 32*" #i "(%[c],%[at]), %%ymm" #i "\n\tvfmadd213ps 32*" #i "(%[b],%[at]), %%ymm15, %%ymm" #i \
  "\n"                                                                                                 \
  "\t"
#define TRIAD128(i)                                                                         \
  "movaps 16*" #i "(%[c],%[at]), %%xmm" #i "\n\tmulps %%xmm15, %%xmm" #i "\n\taddps 16*" #i \
  "(%[b],%[at]), %%xmm" #i "\n\t"
#define TRIAD512_ONE(i) TRIAD512(i) WRITE512(i)
#define TRIAD256_ONE(i) TRIAD256(i) WRITE256(i)
AISP_LOOP(triad_avx512, AISP_16(ZERO_VEX), AISP_8(TRIAD512_ONE), 512, AISP_VEX_END)
AISP_LOOP(triad_avx2, AISP_16(ZERO_VEX), AISP_8(TRIAD256_ONE), 256, AISP_VEX_END)
AISP_LOOP(triad_avx512_grouped, AISP_16(ZERO_VEX), AISP_8(TRIAD512) AISP_8(WRITE512), 512, AISP_VEX_END)
AISP_LOOP(triad_sse2, AISP_16(ZERO), AISP_8(TRIAD128) AISP_8(WRITE128), 128, "")
AISP_LOOP(triad_avx512_nt, AISP_16(ZERO_VEX), AISP_8(TRIAD512) AISP_8(STREAM512), 512, AISP_NT_END)
AISP_LOOP(triad_avx2_nt, AISP_16(ZERO_VEX), AISP_8(TRIAD256) AISP_8(STREAM256), 256, AISP_NT_END)
AISP_LOOP(triad_sse2_nt, AISP_16(ZERO), AISP_8(TRIAD128) AISP_8(STREAM128), 128, "sfence")

#else  // other processors: plain loops, vectorised by the compiler

void read_plain(const ProbeArrays& x, std::size_t passes) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(x.a);
  for (std::size_t i = 0; i < passes; ++i) {
    std::uint64_t sum[8] = {};
    for (std::size_t at = 0; at < x.bytes / 8; at += 8)
      for (int k = 0; k < 8; ++k) sum[k] |= words[at + static_cast<std::size_t>(k)];
    asm volatile(""
                 :
                 : "r"(sum[0] | sum[1] | sum[2] | sum[3] | sum[4] | sum[5] | sum[6] | sum[7])
                 : "memory");
  }
}
void triad_plain(const ProbeArrays& x, std::size_t passes) {
  auto* a = reinterpret_cast<float*>(x.a);
  const auto* b = reinterpret_cast<const float*>(x.b);
  const auto* c = reinterpret_cast<const float*>(x.c);
  for (std::size_t i = 0; i < passes; ++i) {
    for (std::size_t at = 0; at < x.bytes / 4; ++at) a[at] = b[at] + 0.5f * c[at];
    forget_memory();
  }
}

#endif

}  // namespace

const char* name_of(Traffic traffic) {
  switch (traffic) {
    case Traffic::read:
      return "read";
    case Traffic::write:
      return "write";
    case Traffic::copy:
      return "copy";
    case Traffic::triad:
      return "triad";
  }
  return "read";
}

int arrays_of(Traffic traffic) {
  switch (traffic) {
    case Traffic::copy:
      return 2;
    case Traffic::triad:
      return 3;
    default:
      return 1;
  }
}

std::vector<BandwidthProbe> bandwidth_probes(Traffic traffic) {
  std::vector<BandwidthProbe> probes;
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const auto add = [&](bool supported, BandwidthProbe probe) {
    if (supported) probes.push_back(probe);
  };
  switch (traffic) {
    case Traffic::read:
      add(avx2, {"avx2, 16 pages", true, read_avx2_pages});
      add(avx512, {"avx512, 4 streams", true, read_avx512_4});
      add(avx512, {"avx512", true, read_avx512});
      add(avx2, {"avx2, 4 streams", true, read_avx2_4});
      add(avx2, {"avx2", true, read_avx2});
      add(avx512, {"avx512, or", false, read_avx512_or});
      add(avx2, {"avx2, or", false, read_avx2_or});
      add(avx512, {"avx512, prefetch", true, read_avx512_ahead});
      add(avx2, {"avx2, prefetch", !avx512, read_avx2_ahead});
      add(true, {"sse2", !avx2, read_sse2});
      break;
    case Traffic::write:
      add(avx512, {"avx512, non-temporal", true, write_avx512_nt});
      add(avx512, {"avx512", true, write_avx512});
      add(avx2, {"avx2, non-temporal", !avx512, write_avx2_nt});
      add(avx2, {"avx2", !avx512, write_avx2});
      add(true, {"rep stosb", true, write_rep});
      add(true, {"sse2", !avx2, write_sse2});
      add(true, {"sse2, non-temporal", !avx2, write_sse2_nt});
      break;
    case Traffic::copy:
      add(avx512, {"avx512, non-temporal", true, copy_avx512_nt});
      add(avx512, {"avx512", true, copy_avx512});
      add(avx512, {"avx512, load and store in turn", false, copy_avx512_pairs});
      add(avx2, {"avx2, non-temporal", !avx512, copy_avx2_nt});
      add(avx2, {"avx2", !avx512, copy_avx2});
      add(avx2, {"avx2, load and store in turn", false, copy_avx2_pairs});
      add(true, {"rep movsb", true, copy_rep});
      add(true, {"sse2", !avx2, copy_sse2});
      add(true, {"sse2, non-temporal", !avx2, copy_sse2_nt});
      break;
    case Traffic::triad:
      add(avx512, {"avx512, non-temporal", true, triad_avx512_nt});
      add(avx512, {"avx512", true, triad_avx512});
      add(avx512, {"avx512, stores grouped", false, triad_avx512_grouped});
      add(avx2, {"avx2, non-temporal", true, triad_avx2_nt});
      add(avx2, {"avx2", !avx512, triad_avx2});
      add(true, {"sse2", !avx2, triad_sse2});
      add(true, {"sse2, non-temporal", !avx2, triad_sse2_nt});
      break;
  }
#else
  if (traffic == Traffic::read) probes.push_back({"compiled loop", true, read_plain});
  if (traffic == Traffic::triad) probes.push_back({"compiled loop", true, triad_plain});
#endif
  if (traffic == Traffic::write) probes.push_back({"memset", true, memset_libc});
  if (traffic == Traffic::copy) probes.push_back({"memcpy", true, memcpy_libc});
  return probes;
}

}  // namespace aisp::device
