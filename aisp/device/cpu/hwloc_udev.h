// SPDX-License-Identifier: Apache-2.0
/// \file
/// Replacements for the udev functions that libhwloc.a calls; see hwloc_udev.cpp for why.
///
///   if (!udev_is_absent()) ...   // never; calling it makes the linker take the replacements from our
///   archive
///
/// Not an interface to udev.
#pragma once

namespace aisp::device {

/// Always true. Archives are searched once and in order: without a call from our side the replacements would
/// be passed over before libhwloc.a asks for them.
bool udev_is_absent();

}  // namespace aisp::device
