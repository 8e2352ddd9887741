// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/new_templates.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/registry.h"

namespace aisp::cli {
namespace {

namespace fs = std::filesystem;

struct NewFile {
  fs::path path;
  std::string text;
};

/// The name becomes a file, two CMake targets and a part of the workload's id: snake_case fits all of them.
Status check_name(const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 64 && name.front() >= 'a' && name.front() <= 'z' &&
                     name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  if (plain) return Ok{};
  return Error{ErrorCode::usage, "'" + name + "' cannot be a workload's name",
               "use snake_case: small letters, digits and _, beginning with a letter, 64 at most"};
}

/// "scan", and at the right "chapter 7, memory access" for ch07_memory_access.
std::string titled(const std::string& name, const std::string& folder) {
  const auto end_of_number = std::min(folder.find('_'), folder.size());
  std::string chapter = "chapter " + std::to_string(std::stoi("0" + folder.substr(2, end_of_number - 2)));
  if (end_of_number < folder.size()) chapter += ", " + folder.substr(end_of_number + 1);
  std::ranges::replace(chapter, '_', ' ');
  return name + std::string(name.size() < 60 ? 70 - name.size() : 2, ' ') + chapter;
}

/// Where the package is installed that this program belongs to; nothing when it runs where it was built.
std::optional<fs::path> installed_prefix() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path prefix = program.parent_path().parent_path();
  if (error || !fs::exists(prefix / "lib" / "cmake" / "aisp", error)) return std::nullopt;
  return prefix;
}

/// What to type next, line by line, in a project of its own.
std::string project_steps(const fs::path& folder, const NewWorkload& workload) {
  const std::optional<fs::path> prefix = installed_prefix();
  const std::string where = prefix ? prefix->string() : "$HOME/.local";
  const std::string plugin = "--plugin build/" + workload.name + "_plugin.so " + workload.id;
  std::string steps = "next:\n";
  if (!prefix) steps += "  make install PREFIX=\"" + where + "\"   # once, in the source tree of aisp\n";
  return steps + "  cd '" + folder.string() + "' && cmake -S . -B build -DCMAKE_PREFIX_PATH=\"" + where +
         "\" && cmake --build build\n  aisp verify " + plugin + "\n  aisp run " + plugin + "\n  build/" +
         workload.name + "_benchmark run " + workload.id + "   # the same, as a program of its own\n";
}

/// The folder of a chapter in this source tree: "ch07" and "ch7" are workloads/ch07_memory_access.
Result<fs::path> chapter_folder(std::string chapter) {
  if (chapter.size() == 3 && chapter.rfind("ch", 0) == 0) chapter.insert(2, "0");
  std::error_code error;
  std::string known;
  for (const fs::directory_entry& entry : fs::directory_iterator("workloads", error)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || name.rfind("ch", 0) != 0) continue;
    if (name == chapter || name.rfind(chapter + "_", 0) == 0) return entry.path();
    known += (known.empty() ? "" : ", ") + name.substr(0, name.find('_'));
  }
  if (error) {
    return Error{ErrorCode::bad_input, "there is no folder 'workloads' here",
                 "--chapter is for the aisp source tree; leave it out for a project of your own"};
  }
  return Error{ErrorCode::usage, "no chapter '" + chapter + "'", "there are " + known};
}

Error cannot_write(const fs::path& path, int error) {
  return {ErrorCode::io, "cannot write " + path.string() + ": " + std::strerror(error),
          "choose another place with --project"};
}

/// O_EXCL: a file that appears in the meantime is not overwritten either.
Status write_new(const NewFile& file) {
  const int fd = open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return cannot_write(file.path, errno);
  std::size_t written = 0;
  while (written < file.text.size()) {
    const ssize_t n = write(fd, file.text.data() + written, file.text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  const int error = errno;
  if (close(fd) == 0 && written == file.text.size()) return Ok{};
  unlink(file.path.c_str());
  return cannot_write(file.path, error);
}

Status write_all(const std::vector<NewFile>& files) {
  std::error_code error;
  for (const NewFile& file : files) {
    if (fs::exists(fs::symlink_status(file.path, error))) {
      return Error{ErrorCode::bad_input, file.path.string() + " exists already; nothing was written",
                   "choose another name, or another place with --project"};
    }
  }
  for (const NewFile& file : files) {
    if (file.path.has_parent_path()) fs::create_directories(file.path.parent_path(), error);
    if (error) return cannot_write(file.path.parent_path(), error.value());
    if (const Status written = write_new(file); !written) return written;
  }
  return Ok{};
}

/// Two workloads of one name on one device: the program would not start.
Status check_id(const std::string& id) {
  if (Registry::instance().find(id, DeviceKind::cpu) == nullptr) return Ok{};
  return Error{ErrorCode::bad_input, "there is a workload " + id + " already; nothing was written",
               "choose another name; `aisp list " + id + "` shows what it is"};
}

int run_new(const Arguments& arguments) {
  if (arguments.positional.size() != 1) {
    return fail(arguments, {ErrorCode::usage, "give one name", "for example `aisp new prefix_sum`"});
  }
  const std::string& name = arguments.positional.front();
  if (const Status fine = check_name(name); !fine) return fail(arguments, fine.error());
  if (arguments.has("chapter") && arguments.has("project")) {
    return fail(arguments, {ErrorCode::usage, "--chapter and --project exclude one another",
                            "--chapter adds to this source tree, --project starts a project of its own"});
  }
  std::vector<NewFile> files;
  std::string next;
  if (arguments.has("chapter")) {
    const Result<fs::path> folder = chapter_folder(arguments.text("chapter"));
    if (!folder) return fail(arguments, folder.error());
    const std::string chapter = folder->filename().string();
    const NewWorkload workload{name, chapter.substr(0, chapter.find('_')) + "/" + name, titled(name, chapter),
                               "\"aisp/aisp.h\""};
    if (const Status free = check_id(workload.id); !free) return fail(arguments, free.error());
    files.push_back(
        {*folder / (name + ".cpp"), "// SPDX-License-Identifier: Apache-2.0\n" + workload_text(workload)});
    next = "next: make build, then `aisp verify " + workload.id + "` and `aisp run " + workload.id +
           "`; CONTRIBUTING.md says what else a new workload needs\n";
  } else {
    const fs::path folder = arguments.has("project") ? fs::path(arguments.text("project")) : fs::path(name);
    const NewWorkload workload{name, "local/" + name, name, "<aisp/aisp.h>"};
    files.push_back({folder / "CMakeLists.txt", project_text(workload)});
    files.push_back({folder / (name + ".cpp"), workload_text(workload)});
    next = project_steps(folder, workload);
  }
  if (const Status written = write_all(files); !written) return fail(arguments, written.error());
  std::string text;
  Json json{{"files", Json::array()}};
  for (const NewFile& file : files) {
    text += "wrote " + file.path.string() + "\n";
    json["files"].push_back(printable_utf8(file.path.string()));
  }
  return print(arguments.json() ? json_document("new", json) : text + next) ? 0
                                                                            : static_cast<int>(ErrorCode::io);
}

}  // namespace

const Command kNew{.name = "new",
                   .summary = "Writes a workload that builds, runs and passes verify, ready to be changed",
                   .positional = "NAME",
                   .flags = {{.name = "project",
                              .kind = FlagKind::text,
                              .help = "folder of a project of its own [./NAME]",
                              .value = "DIR"},
                             {.name = "chapter",
                              .kind = FlagKind::text,
                              .help = "add it to this chapter of the source tree",
                              .value = "CHAPTER"}},
                   .details =
                       "aisp new prefix_sum\naisp new prefix_sum --project ~/prefix_sum\naisp new "
                       "prefix_sum --chapter ch08\n\n"
                       "Nothing is ever overwritten.",
                   .run = run_new};

}  // namespace aisp::cli
