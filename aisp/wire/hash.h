// SPDX-License-Identifier: Apache-2.0
/// \file
/// SHA-256 (from nettle) as lower-case hex. Used for the store's chain, configuration hashes and seed
/// commitments.
#pragma once

#include <string>
#include <string_view>

namespace aisp {

std::string sha256_hex(std::string_view bytes);

}  // namespace aisp
