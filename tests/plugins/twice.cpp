// SPDX-License-Identifier: Apache-2.0
// Registers one id twice: the second registration is a problem that the loader must report.
#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

const Registration first{doubling("twice/same", "same", honest)};
const Registration second{doubling("twice/same", "same", honest)};

}  // namespace
}  // namespace aisp::plugins
