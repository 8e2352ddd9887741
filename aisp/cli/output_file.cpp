// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "aisp/cli/terminal.h"

namespace aisp::cli {

Status write_output(const std::string& path, const std::string& text) {
  if (path.empty() || path == "-") {
    if (print(text)) return Ok{};
    return Error{ErrorCode::io, std::string("cannot write to stdout: ") + std::strerror(errno), ""};
  }
  const std::string temporary = path + "." + std::to_string(getpid()) + ".part";
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(temporary, path, error);
  if (!file || error) {
    const std::string cause = error ? error.message() : std::strerror(errno);
    std::filesystem::remove(temporary, error);
    return Error{ErrorCode::io, "cannot write " + path + ": " + cause, "choose another place with --output"};
  }
  return Ok{};
}

}  // namespace aisp::cli
