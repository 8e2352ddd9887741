// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/aisp_process.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aisp::testing {
namespace {

namespace fs = std::filesystem;
using Time = std::chrono::steady_clock;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool is_zombie(pid_t pid) {
  const std::string stat = content_of("/proc/" + std::to_string(pid) + "/stat");
  const auto name_end = stat.rfind(')');
  return name_end == std::string::npos || stat.size() < name_end + 3 || stat[name_end + 2] == 'Z';
}

template <class Visit>
void each_process(Visit visit) {
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") == std::string::npos) visit(static_cast<pid_t>(std::stol(name)));
  }
}

}  // namespace

Json Finished::json() const {
  Json parsed = Json::parse(out, nullptr, false);
  return parsed.is_discarded() ? Json() : parsed;
}

Process::Process(Process&& other) noexcept : pid_(other.pid_), streams_(std::move(other.streams_)) {
  other.pid_ = -1;
}

Process::~Process() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

Finished Process::wait(std::chrono::seconds deadline) {
  Finished finished;
  const auto until = Time::now() + deadline;
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (Time::now() > until) {
      ::kill(pid_, SIGKILL);
      waitpid(pid_, &status, 0);
      finished.timed_out = true;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  pid_ = -1;
  if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
  finished.out = content_of(streams_.string() + ".out");
  finished.err = content_of(streams_.string() + ".err");
  return finished;
}

std::vector<pid_t> Process::children() const {
  std::vector<pid_t> found;
  each_process([&](pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.rfind("PPid:", 0) == 0 && std::atoi(line.c_str() + 5) == pid_ && !is_zombie(pid))
        found.push_back(pid);
    }
  });
  return found;
}

Sandbox::Sandbox() {
  std::string pattern = (fs::temp_directory_path() / "aisp-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory for the test");
  root_ = pattern;
  for (const char* folder : {"home", "tmp", "work"}) fs::create_directory(root_ / folder);
  directory = root_ / "work";
  marker_ = "AISP_TEST_SANDBOX=" + pattern;
  environment = {{"HOME", (root_ / "home").string()}, {"TMPDIR", tmp().string()},
                 {"AISP_STORE", store().string()},    {"AISP_TEST_SANDBOX", pattern},
                 {"PATH", std::getenv("PATH")},       {"LC_ALL", "C.UTF-8"}};
  // Settings of sanitizers and of the compiler cache reach what is built and run here.
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "CCACHE_DIR"}) {
    if (const char* value = std::getenv(name)) environment[name] = value;
  }
}

Sandbox::~Sandbox() {
  for (const pid_t pid : survivors()) ::kill(pid, SIGKILL);
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void Sandbox::give_ceilings() const {
  const fs::path shared = fs::path(AISP_SHARED_DIRECTORY) / "ceilings.db";
  const int lock = open((shared.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  flock(lock, LOCK_EX);  // several tests may be started at once
  const bool stale = !fs::exists(shared) || fs::last_write_time(shared) < fs::last_write_time(AISP_PROGRAM);
  if (stale) {
    Sandbox box;
    box.run({"run", "--plugin", plugin("pace"), "pace/fast", "--cell-seconds", "0.1", "--attempts", "1"});
    std::error_code ignored;
    fs::copy_file(box.store(), shared, fs::copy_options::overwrite_existing, ignored);
  }
  std::error_code ignored;
  fs::copy_file(shared, store(), ignored);
  close(lock);
}

Process Sandbox::start(const std::vector<std::string>& arguments, const std::string& program) {
  const fs::path streams = root_ / ("stream" + std::to_string(started_++));
  std::vector<std::string> words{program}, variables;
  words.insert(words.end(), arguments.begin(), arguments.end());
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  const std::string out = streams.string() + ".out", err = streams.string() + ".err";
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    if (chdir(directory.c_str()) != 0) _exit(126);
    before_exec();
    execvpe(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  return {pid, streams};
}

Finished Sandbox::run(const std::vector<std::string>& arguments, const std::string& program) {
  return start(arguments, program).wait();
}

std::vector<pid_t> Sandbox::survivors() const {
  std::vector<pid_t> found;
  each_process([&](pid_t pid) {
    const std::string variables = content_of("/proc/" + std::to_string(pid) + "/environ");
    if (pid != getpid() && variables.find(marker_ + '\0') != std::string::npos && !is_zombie(pid))
      found.push_back(pid);
  });
  return found;
}

bool Sandbox::alone() const {
  return eventually([this] { return survivors().empty(); }, std::chrono::seconds(10));
}

std::vector<std::string> Sandbox::leftovers() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(tmp()))
    names.push_back(entry.path().filename());
  return names;
}

fs::path Sandbox::write(const std::string& name, const std::string& content) const {
  const fs::path path = root_ / name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string plugin(const std::string& name) { return std::string(AISP_PLUGINS) + "/" + name + ".so"; }

bool eventually(const std::function<bool()>& condition, std::chrono::seconds deadline) {
  const auto until = Time::now() + deadline;
  while (!condition()) {
    if (Time::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

}  // namespace aisp::testing
