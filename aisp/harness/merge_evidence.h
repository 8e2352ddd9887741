// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joins the evidence of one variant from several attempts: counts add up, worst cases win, an unknown stays
/// unknown only if no attempt could establish the fact.
#pragma once

#include "aisp/core/evidence.h"

namespace aisp::harness {

void merge_evidence(Evidence& into, const Evidence& from);

}  // namespace aisp::harness
