// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/arithmetic_probes.h"

#include <cstdint>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace aisp::device {
namespace {

#if defined(__x86_64__)

// Twelve sums at once: two units with a latency of four or five cycles need eight to ten; twelve leave
// registers for the factors. Values stay finite: every sum grows by 2^-40 a turn.
#define AISP_12(STEP) \
  STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11)
#define AISP_CLOBBERS                                                                                     \
  "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", \
      "xmm12", "xmm13", "xmm14", "xmm15"

#define AISP_TURNS(NAME, SETUP, BODY, END, A, B)                                  \
  void NAME(std::size_t turns) {                                                  \
    const auto a = A, b = B;                                                      \
    asm volatile(SETUP ".p2align 5\n1:\n\t" BODY "dec %[turns]\n\tjnz 1b\n\t" END \
                 : [turns] "+r"(turns)                                            \
                 : [a] "m"(a), [b] "m"(b)                                         \
                 : AISP_CLOBBERS);                                                \
  }

#define ZERO_VEX(i) "vpxor %%xmm" #i ", %%xmm" #i ", %%xmm" #i "\n\t"
#define ZERO_SSE(i) "pxor %%xmm" #i ", %%xmm" #i "\n\t"

#define FMA512_PS(i) "vfmadd231ps %%zmm14, %%zmm15, %%zmm" #i "\n\t"
#define FMA512_PD(i) "vfmadd231pd %%zmm14, %%zmm15, %%zmm" #i "\n\t"
#define FMA256_PS(i) "vfmadd231ps %%ymm14, %%ymm15, %%ymm" #i "\n\t"
#define FMA256_PD(i) "vfmadd231pd %%ymm14, %%ymm15, %%ymm" #i "\n\t"
AISP_TURNS(fma_avx512_f32, AISP_12(ZERO_VEX) "vbroadcastss %[a], %%zmm14\n\tvbroadcastss %[b], %%zmm15\n\t",
           AISP_12(FMA512_PS), "vzeroupper", 1.0f, 0x1p-40f)
AISP_TURNS(fma_avx512_f64, AISP_12(ZERO_VEX) "vbroadcastsd %[a], %%zmm14\n\tvbroadcastsd %[b], %%zmm15\n\t",
           AISP_12(FMA512_PD), "vzeroupper", 1.0, 0x1p-40)
AISP_TURNS(fma_avx2_f32, AISP_12(ZERO_VEX) "vbroadcastss %[a], %%ymm14\n\tvbroadcastss %[b], %%ymm15\n\t",
           AISP_12(FMA256_PS), "vzeroupper", 1.0f, 0x1p-40f)
AISP_TURNS(fma_avx2_f64, AISP_12(ZERO_VEX) "vbroadcastsd %[a], %%ymm14\n\tvbroadcastsd %[b], %%ymm15\n\t",
           AISP_12(FMA256_PD), "vzeroupper", 1.0, 0x1p-40)

// Without fused instructions the multiplier and the adder work side by side: half of the registers are
// products, half are sums.
#define MUL_ADD_PS(i, j) "mulps %%xmm14, %%xmm" #i "\n\taddps %%xmm15, %%xmm" #j "\n\t"
#define MUL_ADD_PD(i, j) "mulpd %%xmm14, %%xmm" #i "\n\taddpd %%xmm15, %%xmm" #j "\n\t"
#define SIX_PAIRS(STEP) STEP(0, 6) STEP(1, 7) STEP(2, 8) STEP(3, 9) STEP(4, 10) STEP(5, 11)
AISP_TURNS(mul_add_sse2_f32,
           AISP_12(ZERO_SSE) "movss %[a], %%xmm14\n\tshufps $0, %%xmm14, %%xmm14\n\tmovss %[b], %%xmm15\n\t"
                             "shufps $0, %%xmm15, %%xmm15\n\t",
           SIX_PAIRS(MUL_ADD_PS), "", 1.0f, 0x1p-40f)
AISP_TURNS(mul_add_sse2_f64,
           AISP_12(ZERO_SSE) "movsd %[a], %%xmm14\n\tunpcklpd %%xmm14, %%xmm14\n\tmovsd %[b], %%xmm15\n\t"
                             "unpcklpd %%xmm15, %%xmm15\n\t",
           SIX_PAIRS(MUL_ADD_PD), "", 1.0, 0x1p-40)

// 8-bit products. Sums of 16 bits take two instructions for each register of products and overflow unless
// widened now and then; leaving the widening out makes this an upper bound for every such kernel.
#define DOT512(i) "vpdpbusd %%zmm14, %%zmm15, %%zmm" #i "\n\t"
#define DOT256(i) "%{vex%} vpdpbusd %%ymm14, %%ymm15, %%ymm" #i "\n\t"
#define MADD512(i, j) \
  "vpmaddubsw %%zmm14, %%zmm15, %%zmm" #i "\n\tvpaddw %%zmm" #i ", %%zmm" #j ", %%zmm" #j "\n\t"
#define MADD256(i, j) \
  "vpmaddubsw %%ymm14, %%ymm15, %%ymm" #i "\n\tvpaddw %%ymm" #i ", %%ymm" #j ", %%ymm" #j "\n\t"
AISP_TURNS(dot_avx512_vnni_i8,
           AISP_12(ZERO_VEX) "vpbroadcastd %[a], %%zmm14\n\tvpbroadcastd %[b], %%zmm15\n\t", AISP_12(DOT512),
           "vzeroupper", std::uint32_t{0x01010101}, std::uint32_t{0x01010101})
AISP_TURNS(dot_avx_vnni_i8, AISP_12(ZERO_VEX) "vpbroadcastd %[a], %%ymm14\n\tvpbroadcastd %[b], %%ymm15\n\t",
           AISP_12(DOT256), "vzeroupper", std::uint32_t{0x01010101}, std::uint32_t{0x01010101})
AISP_TURNS(madd_avx512_i8, AISP_12(ZERO_VEX) "vpbroadcastd %[a], %%zmm14\n\tvpbroadcastd %[b], %%zmm15\n\t",
           SIX_PAIRS(MADD512), "vzeroupper", std::uint32_t{0x01010101}, std::uint32_t{0x01010101})
AISP_TURNS(madd_avx2_i8, AISP_12(ZERO_VEX) "vpbroadcastd %[a], %%ymm14\n\tvpbroadcastd %[b], %%ymm15\n\t",
           SIX_PAIRS(MADD256), "vzeroupper", std::uint32_t{0x01010101}, std::uint32_t{0x01010101})

struct Features {
  bool avx_vnni = false, matrix_tiles = false;
};
Features read_features() {
  Features f;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) f.matrix_tiles = (d & (1u << 24)) != 0;
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d)) f.avx_vnni = (a & (1u << 4)) != 0;
  return f;
}

#else

/// Sixteen chains of four, which the compiler keeps in vector registers where it has them.
template <class T>
void mul_add_compiled(std::size_t turns) {
  T sum[64] = {};
  T factor = T(1);
  asm volatile("" : "+m"(factor));
  for (std::size_t i = 0; i < turns; ++i)
    for (T& s : sum) s = __builtin_fma(factor, T(0x1p-40), s);
  asm volatile("" : : "m"(sum) : "memory");
}

#endif

}  // namespace

std::vector<ArithmeticProbe> arithmetic_probes() {
  std::vector<ArithmeticProbe> probes;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    probes.push_back({"avx512 fma", DType::f32, 12 * 16 * 2, fma_avx512_f32});
    probes.push_back({"avx512 fma", DType::f64, 12 * 8 * 2, fma_avx512_f64});
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    probes.push_back({"avx2 fma", DType::f32, 12 * 8 * 2, fma_avx2_f32});
    probes.push_back({"avx2 fma", DType::f64, 12 * 4 * 2, fma_avx2_f64});
  } else {
    probes.push_back({"sse2 multiply and add", DType::f32, 6 * 4 * 2, mul_add_sse2_f32});
    probes.push_back({"sse2 multiply and add", DType::f64, 6 * 2 * 2, mul_add_sse2_f64});
  }
  const Features features = read_features();
  if (!features.matrix_tiles) {
    if (__builtin_cpu_supports("avx512vnni"))
      probes.push_back({"avx512 vnni", DType::i8, 12 * 64 * 2, dot_avx512_vnni_i8});
    if (features.avx_vnni) probes.push_back({"avx vnni", DType::i8, 12 * 32 * 2, dot_avx_vnni_i8});
    if (__builtin_cpu_supports("avx512bw"))
      probes.push_back({"avx512 maddubs, 16-bit sums", DType::i8, 6 * 64 * 2, madd_avx512_i8});
    if (__builtin_cpu_supports("avx2"))
      probes.push_back({"avx2 maddubs, 16-bit sums", DType::i8, 6 * 32 * 2, madd_avx2_i8});
  }
#else
  probes.push_back({"compiled multiply-add", DType::f32, 64 * 2, mul_add_compiled<float>});
  probes.push_back({"compiled multiply-add", DType::f64, 64 * 2, mul_add_compiled<double>});
#endif
  return probes;
}

}  // namespace aisp::device
