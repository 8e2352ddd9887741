// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joins the evidence of one variant from several attempts: counts add up, worst cases win, and a fact that
/// one attempt could not establish is unknown unless another established the worse.
#pragma once

#include "aisp/core/evidence.h"

namespace aisp::harness {

/// The answers alone: those of a memory attempt count like timed ones.
void merge_answers(AnswerEvidence& into, const AnswerEvidence& from);
void merge_evidence(Evidence& into, const Evidence& from);

}  // namespace aisp::harness
