// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aisp/cli/terminal.h"

namespace aisp::cli {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const std::string& path, int error, const std::string& flag) {
  return {ErrorCode::io, "cannot write " + path + ": " + std::strerror(error),
          "choose another place with " + flag};
}

/// The file behind a chain of links, which may name a file that is yet to be made.
fs::path behind_links(fs::path path) {
  std::error_code error;
  for (int hops = 0; hops < 40 && fs::is_symlink(path, error); ++hops) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces all of it
  }
  return path;
}

/// 0, or the errno.
int write_all(int fd, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : ENOSPC;
    written += static_cast<std::size_t>(n);
  }
  return 0;
}

/// Opens, writes, closes; 0 or the errno.
int write_to(const fs::path& path, int flags, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (fd < 0) return errno;
  const int error = write_all(fd, text);
  if (close(fd) != 0 && error == 0) return errno;
  return error;
}

enum class Target { standard_output, new_file, regular_file, in_place };

/// What there is at the path now; links are followed.
Result<Target> place_of(const std::string& path, const std::string& flag, struct stat& there) {
  if (path.empty() || path == "-") return Target::standard_output;
  if (stat(path.c_str(), &there) != 0) {
    if (errno == ENOENT) return Target::new_file;
    return cannot_write(path, errno, flag);
  }
  if (S_ISDIR(there.st_mode)) return cannot_write(path, EISDIR, flag);
  // /dev/stdout of a redirected command is the file it goes to: replacing that would leave the shell's empty.
  struct stat out{};
  if (fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == there.st_dev && out.st_ino == there.st_ino)
    return Target::standard_output;
  return S_ISREG(there.st_mode) ? Target::regular_file : Target::in_place;
}

}  // namespace

Status write_output(const std::string& path, const std::string& text, const std::string& flag) {
  struct stat there{};
  const Result<Target> place = place_of(path, flag, there);
  if (!place) return place.error();
  if (*place == Target::standard_output) {
    if (print(text)) return Ok{};
    return cannot_print();
  }
  if (*place == Target::in_place) {
    if (const int error = write_to(path, 0, text); error != 0) return cannot_write(path, error, flag);
    return Ok{};
  }
  const fs::path target = behind_links(path);
  const fs::path temporary = target.string() + "." + std::to_string(getpid()) + ".part";
  int error = write_to(temporary, O_CREAT | O_TRUNC, text);
  if (error == 0 && *place == Target::regular_file) {
    // Who may read it stays as it was.
    if (chmod(temporary.c_str(), there.st_mode & 07777u) != 0) error = errno;
  }
  if (error == 0 && rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return Ok{};
  unlink(temporary.c_str());
  return cannot_write(path, error, flag);
}

Status check_output(const std::string& path, const std::string& flag) {
  struct stat there{};
  const Result<Target> place = place_of(path, flag, there);
  if (!place) return place.error();
  if (*place == Target::standard_output) return Ok{};
  fs::path tested = path;
  if (*place != Target::in_place) {
    tested = behind_links(path).parent_path();
    if (tested.empty()) tested = ".";
  }
  if (access(tested.c_str(), W_OK) != 0) return cannot_write(path, errno, flag);
  return Ok{};
}

}  // namespace aisp::cli
