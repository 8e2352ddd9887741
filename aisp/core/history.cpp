// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/history.h"

namespace aisp {

std::string_view name_of(ChangeStatus status) {
  switch (status) {
    case ChangeStatus::small:
      return "small";
    case ChangeStatus::same_build:
      return "same build";
    case ChangeStatus::suspected:
      return "suspected";
    case ChangeStatus::refuted:
      return "refuted";
    case ChangeStatus::unsettled:
      return "unsettled";
    case ChangeStatus::confirmed:
      return "confirmed";
  }
  return "unknown";
}

}  // namespace aisp
