// SPDX-License-Identifier: Apache-2.0
/// \file
/// The public interface: everything a workload needs, and nothing else. Start with core/workload.h.
#pragma once

#include "aisp/core/registry.h"
#include "aisp/core/workload.h"
