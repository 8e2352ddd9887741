// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tails of the few distributions that the tests here need, for whole degrees of freedom, where closed forms
/// exist and nothing has to be approximated.
///
///   double p = chi_squared_upper(h, attempts - 1);
///
/// Accurate to about 1e-12 absolute. Not a general special-function library.
#pragma once

namespace aisp::stats {

double normal_cdf(double z);
/// P(X >= x) with df >= 1.
double chi_squared_upper(double x, int df);
/// P(|T| >= |t|) with df >= 1. Cost O(df).
double student_two_sided(double t, int df);
/// The t with student_two_sided(t, df) = alpha.
double student_critical(double alpha, int df);

}  // namespace aisp::stats
