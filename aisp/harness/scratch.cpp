// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/scratch.h"

#include <cstdlib>

namespace aisp::harness {

Result<Scratch> Scratch::make() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  // Systems without /tmp mostly still have /dev/shm.
  for (const auto& directory :
       {error ? std::filesystem::path("/tmp") : base, std::filesystem::path("/dev/shm")}) {
    std::string pattern = (directory / "aisp-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) return Scratch(pattern);
  }
  return Error{ErrorCode::io, "no directory for temporary files in " + base.string(),
               "set TMPDIR to a directory that can be written"};
}

Scratch::~Scratch() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace aisp::harness
