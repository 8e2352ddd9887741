// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of machinery_items() that are in files of their own.
#pragma once

#include "tests/hopper/items.h"

namespace aisp::hopper_test {

std::vector<Item> copy_items();
std::vector<Item> product_items();
std::vector<Item> held_items();

}  // namespace aisp::hopper_test
