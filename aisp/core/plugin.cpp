// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/plugin.h"

namespace aisp {

const char* abi_of_this_build() {
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
  return "libstdc++ cxx11";
#elif defined(__GLIBCXX__)
  return "libstdc++ old";
#else
  return "other";
#endif
}

}  // namespace aisp
