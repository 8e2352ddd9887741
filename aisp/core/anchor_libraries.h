// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files of the libraries that workloads are measured against, in the order in which they are tried: anchors
/// load them and `aisp doctor` says whether they load.
#pragma once

#include <array>

namespace aisp {

inline constexpr std::array kOpenBlasFiles{"libopenblas.so.0"};
/// dnnl_sgemm, all that is used of it, has the same signature in versions 2 and 3.
inline constexpr std::array kOneDnnFiles{"libdnnl.so.3", "libdnnl.so.2"};

}  // namespace aisp
