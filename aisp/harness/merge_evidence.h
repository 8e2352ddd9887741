// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joins the evidence of one variant from several attempts: counts add up, worst cases win, and a fact that
/// one attempt could not establish is unknown unless another established the worse.
#pragma once

#include "aisp/core/evidence.h"
#include "aisp/core/record.h"
#include "aisp/harness/sampler.h"

namespace aisp::harness {

/// The answers alone: those of a memory attempt count like timed ones.
void merge_answers(AnswerEvidence& into, const AnswerEvidence& from);
void merge_evidence(Evidence& into, const Evidence& from);

/// Everything a closed attempt says about one variant: its evidence, and its metrics as means over the calls
/// of all attempts. A metric that one side does not have keeps the other side's value.
void merge_closed(VariantResult& into, const ClosedVariant& closed);

}  // namespace aisp::harness
