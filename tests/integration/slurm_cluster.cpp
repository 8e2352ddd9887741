// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/slurm_cluster.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::array kPrograms{"/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd",
                               "/usr/bin/sbatch", "/usr/bin/squeue"};

/// On the loopback; somebody else may take it until it is used, and the test then says so.
int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no free port");
  ::close(fd);
  return ntohs(address.sin_port);
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  const std::string whole = name.data();
  return whole.substr(0, whole.find('.'));
}

std::string last_lines(const fs::path& file) {
  std::ifstream text(file);
  std::string before, last;
  for (std::string line; std::getline(text, line);) before = std::exchange(last, line);
  return before + "\n" + last;
}

}  // namespace

SlurmCluster::SlurmCluster() {
  for (const char* program : kPrograms) {
    if (::access(program, X_OK) != 0)
      missing_ = std::string(program) + " is missing (packages slurmctld slurmd slurm-client munge)";
  }
  if (::geteuid() != 0) forbidden_ = "slurmd of a test needs root";
  if (!missing_.empty() || !forbidden_.empty()) return;
  std::string pattern = (fs::temp_directory_path() / "aisp-slurm-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory for Slurm");
  directory_ = pattern;
  write_config();
  const std::string at = directory_.string();
  start({"/usr/sbin/munged", "--foreground", "--force", "--socket=" + at + "/munge.socket",
         "--key-file=" + at + "/munge.key", "--log-file=" + at + "/munge.log",
         "--pid-file=" + at + "/munge.pid", "--seed-file=" + at + "/munge.seed"});
  eventually([&] { return fs::exists(directory_ / "munge.socket"); }, std::chrono::seconds(20));
  start({"/usr/sbin/slurmctld", "-D", "-f", config()});
  start({"/usr/sbin/slurmd", "-D", "-f", config(), "-N", "localhost"});
  if (!wait_until_idle())
    missing_ = "Slurm does not start here: " + last_lines(directory_ / "slurmd.log") + "\n" +
               last_lines(directory_ / "slurmctld.log");
}

void SlurmCluster::write_config() const {
  std::ofstream(directory_ / "munge.key") << std::string(64, 'k') << ::getpid() << directory_.string();
  fs::permissions(directory_ / "munge.key", fs::perms::owner_read | fs::perms::owner_write);
  for (const char* folder : {"state", "spool"}) fs::create_directory(directory_ / folder);
  const std::string at = directory_.string();
  // linuxproc and none: what they would need of cgroups not every container has.
  std::ofstream(directory_ / "cgroup.conf") << "CgroupPlugin=cgroup/v1\n";
  std::ofstream(config()) << "ClusterName=aisp\n"
                             "SlurmctldHost=localhost(127.0.0.1)\n"
                             "CommunicationParameters=NoInAddrAny,NoCtldInAddrAny\n"
                          << "SlurmctldPort=" << free_port() << "\nSlurmdPort=" << free_port()
                          << "\nSlurmUser=root\nAuthType=auth/munge\nCredType=cred/munge\n"
                          << "AuthInfo=socket=" << at << "/munge.socket\n"
                          << "StateSaveLocation=" << at << "/state\nSlurmdSpoolDir=" << at << "/spool\n"
                          << "SlurmctldPidFile=" << at << "/slurmctld.pid\nSlurmdPidFile=" << at
                          << "/slurmd.pid\n"
                             "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n"
                             "JobAcctGatherType=jobacct_gather/none\n"
                             "AccountingStorageType=accounting_storage/none\n"
                             "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\n"
                             "SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=0,"
                             "batch_sched_delay=0\n"
                          << "NodeName=localhost NodeAddr=127.0.0.1 NodeHostname=" << host_name()
                          << " CPUs=" << std::thread::hardware_concurrency()
                          << " State=UNKNOWN\nPartitionName=test Nodes=localhost Default=YES MaxTime=10\n";
}

bool SlurmCluster::start(const std::vector<std::string>& words) {
  const std::string log = (directory_ / (fs::path(words[0]).filename().string() + ".log")).string();
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // whatever ends the test ends them
    ::dup2(::open("/dev/null", O_RDONLY), 0);
    ::dup2(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), 1);
    ::dup2(1, 2);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  daemons_.push_back(child);
  return child > 0;
}

std::string SlurmCluster::ask(const std::string& command) const {
  const std::string line = "SLURM_CONF='" + config() + "' timeout 10 " + command + " 2>/dev/null";
  FILE* pipe = ::popen(line.c_str(), "r");
  std::string text;
  std::array<char, 4096> bytes{};
  for (std::size_t n; pipe != nullptr && (n = std::fread(bytes.data(), 1, bytes.size(), pipe)) > 0;)
    text.append(bytes.data(), n);
  if (pipe != nullptr) ::pclose(pipe);
  return text;
}

bool SlurmCluster::wait_until_idle() {
  return eventually(
      [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        return ask("sinfo -h -o %T").starts_with("idle");
      },
      std::chrono::seconds(40));
}

SlurmCluster::~SlurmCluster() {
  if (missing_.empty() && forbidden_.empty() && !ask("squeue -h").empty()) {
    ask("scancel --full --partition=test");
    eventually([&] { return ask("squeue -h").empty(); }, std::chrono::seconds(30));
  }
  for (auto daemon = daemons_.rbegin(); daemon != daemons_.rend(); ++daemon) {
    ::kill(*daemon, SIGTERM);
    if (!eventually([&] { return ::waitpid(*daemon, nullptr, WNOHANG) != 0; }, std::chrono::seconds(20))) {
      ::kill(*daemon, SIGKILL);
      ::waitpid(*daemon, nullptr, 0);
    }
  }
  std::error_code ignored;
  if (!directory_.empty()) fs::remove_all(directory_, ignored);
}

}  // namespace aisp::testing
