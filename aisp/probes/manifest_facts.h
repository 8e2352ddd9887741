// SPDX-License-Identifier: Apache-2.0
/// \file
/// Facts about the machine and the program for the manifest: kernel, compiler, flags, git state, settings
/// that move results. A fact that cannot be established has no value. The libraries that measured code uses
/// are loaded in workers; they report them with each cell.
///
///   manifest.facts = manifest_facts();
///   const std::optional<std::string> id = build_id_of("");   // of the program itself
///
/// Not the frozen configuration: that is the manifest's `config`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::probes {

struct LoadedObject {
  std::string path;                     ///< "" = the program itself
  std::optional<std::string> build_id;  ///< hexadecimal
};

/// What is mapped into this process now, in load order; libraries loaded later (anchors, plugins) appear
/// later.
std::vector<LoadedObject> loaded_objects();

/// Build id of the loaded object whose path ends so; of the program for "".
std::optional<std::string> build_id_of(const std::string& path_ending);

/// The options among the words of a kernel command line that move results; "none" where there are none.
std::optional<std::string> kernel_options(const std::optional<std::string>& command_line);

/// Of an environment ("NAME=value", ended by a null pointer) the variables by which libc and mathematical
/// libraries let themselves be tuned; "none" where there are none.
std::string library_variables(char** variables);

/// The commit this program was built from, with "-dirty" where files had changed since; nothing where
/// unknown.
std::optional<std::string> git_state();

/// Everything; includes the topology (hwloc) facts.
std::vector<Fact> manifest_facts();

}  // namespace aisp::probes
