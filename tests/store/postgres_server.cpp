// SPDX-License-Identifier: Apache-2.0
#include "tests/store/postgres_server.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/core/check.h"
#include "aisp/store/postgres_connection.h"

namespace aisp::store::test {
namespace {

namespace fs = std::filesystem;

/// Of the newest version, as Debian and Ubuntu lay them out; empty when there is none.
fs::path installed_programs() {
  std::vector<std::pair<int, fs::path>> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", none)) {
    const fs::path programs = entry.path() / "bin";
    if (fs::exists(programs / "initdb", none) && fs::exists(programs / "postgres", none))
      found.emplace_back(std::atoi(entry.path().filename().c_str()), programs);
  }
  return found.empty() ? fs::path() : std::ranges::max(found).second;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

PostgresServer* PostgresServer::shared() {
  static const std::unique_ptr<PostgresServer> server = [] {
    const fs::path programs = installed_programs();
    return programs.empty() ? nullptr : std::make_unique<PostgresServer>(programs);
  }();
  return server.get();
}

PostgresServer::PostgresServer(const fs::path& programs) : programs_(programs), owner_(::getpid()) {
  const bool memory = ::access("/dev/shm", W_OK) == 0;
  std::string name =
      ((memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "aisp-pg-XXXXXX").string();
  AISP_CHECK(::mkdtemp(name.data()) != nullptr, "the tests need a temporary directory");
  directory_ = name;
  user_ = ::geteuid();
  group_ = ::getegid();
  if (user_ == 0) {  // the server refuses to be root's
    const passwd* account = ::getpwnam("postgres");
    if (account == nullptr) account = ::getpwnam("nobody");
    AISP_CHECK(account != nullptr, "there is an account that is not root's");
    user_ = account->pw_uid;
    group_ = account->pw_gid;
    AISP_CHECK(::chown(name.c_str(), user_, group_) == 0, "root may give a directory away");
  }
  const std::string data = (directory_ / "data").string();
  AISP_CHECK(run("initdb", "-D " + data + " -U aisp -A trust -E UTF8 --locale=C --no-sync") == 0,
             "initdb works; see the log in the temporary directory");
  // A user with a password, to see that it is asked for and never shown.
  std::ofstream(directory_ / "data/pg_hba.conf", std::ios::trunc)
      << "local all guarded scram-sha-256\nlocal all all trust\n";
  start();
}

PostgresServer::~PostgresServer() {
  if (::getpid() != owner_) return;
  stop();
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

/// In a child, before exec.
void PostgresServer::become_ordinary() const {
  if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setresgid(group_, group_, group_) != 0 ||
                           ::setresuid(user_, user_, user_) != 0)) {
    ::_exit(126);
  }
  const int log = ::open((directory_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (log < 0 || ::chdir(directory_.c_str()) != 0) ::_exit(126);
  ::dup2(log, 1);
  ::dup2(log, 2);
}

/// The process of a program that runs, or the exit status of one that is waited for with run().
int PostgresServer::run(const std::string& program, const std::string& arguments) const {
  const std::string path = (programs_ / program).string();
  std::vector<std::string> words = words_of(arguments);
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  AISP_CHECK(child >= 0, "fork works");
  if (child == 0) {
    become_ordinary();
    // Whatever ends the tests ends the server: SIGINT is its quick and orderly way.
    ::prctl(PR_SET_PDEATHSIG, SIGINT);
    ::execv(path.c_str(), argv.data());
    ::_exit(127);
  }
  if (program == "postgres") return child;
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

void PostgresServer::start() {
  const std::string at = directory_.string();
  process_ = run("postgres", "-D " + at + "/data -k " + at +
                                 " -c listen_addresses= -c max_connections=60 -c shared_buffers=32MB");
  for (int tries = 0; tries < 1200; ++tries) {
    if (attempt([&] { PostgresConnection(url(), true, std::chrono::seconds(1)); })) return;
    AISP_CHECK(::waitpid(process_, nullptr, WNOHANG) == 0,
               "the server stays up; see the log beside its data");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  AISP_CHECK(false, "the server answers within a minute");
}

void PostgresServer::stop() {
  if (process_ == 0) return;
  ::kill(process_, SIGINT);
  ::waitpid(process_, nullptr, 0);
  process_ = 0;
}

std::string PostgresServer::url(const std::string& user, const std::string& more) const {
  return "postgres://" + user + "@/postgres?host=" + directory_.string() + more;
}

void PostgresServer::sql(const std::string& statements) const {
  PostgresConnection connection(url(), false, std::chrono::seconds(10));
  connection.execute(statements.c_str());
}

std::string PostgresServer::new_store() {
  const std::string schema = "s" + std::to_string(::getpid()) + "_" + std::to_string(++stores_);
  sql("CREATE SCHEMA " + schema);
  return url("aisp", "&options=-csearch_path%3D" + schema);
}

}  // namespace aisp::store::test
