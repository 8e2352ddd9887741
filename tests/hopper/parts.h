// SPDX-License-Identifier: Apache-2.0
/// \file
/// The two halves of machinery_items().
#pragma once

#include "tests/hopper/items.h"

namespace aisp::hopper_test {

std::vector<Item> copy_items();
std::vector<Item> product_items();

}  // namespace aisp::hopper_test
