// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/rescue.h"

#include <array>
#include <csignal>
#include <cstdlib>

#include <ncurses.h>
#include <termios.h>
#include <unistd.h>
// Last: it makes macros of many short words.
#include <term.h>

namespace aisp::tui {
namespace {

struct Rescue {
  termios before{};
  std::array<char, 256> bytes{};
  std::size_t size = 0;
};
Rescue rescue;

constexpr std::array kCrashes{SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGQUIT};

void give_back_and_die(int signal) {
  tcsetattr(STDIN_FILENO, TCSANOW, &rescue.before);
  static_cast<void>(!write(STDOUT_FILENO, rescue.bytes.data(), rescue.size));
  // The handler was for one time: the signal now does what it always did.
  raise(signal);
}

void add_to_rescue(const char* capability) {
  const char* bytes = tigetstr(capability);
  if (bytes == nullptr || bytes == reinterpret_cast<const char*>(-1)) return;
  for (; *bytes != '\0' && rescue.size < rescue.bytes.size(); ++bytes) rescue.bytes[rescue.size++] = *bytes;
}

}  // namespace

bool knows_terminal() {
  const char* name = std::getenv("TERM");
  int found = 0;
  if (name == nullptr || *name == '\0' || setupterm(nullptr, STDOUT_FILENO, &found) != OK) return false;
  del_curterm(cur_term);  // the screen reads it again for itself
  return true;
}

void remember_terminal() { tcgetattr(STDIN_FILENO, &rescue.before); }

void arm_rescue() {
  rescue.size = 0;
  for (const char* capability : {"sgr0", "rmkx", "cnorm", "rmcup"}) add_to_rescue(capability);
  struct sigaction action{};
  action.sa_handler = give_back_and_die;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int signal : kCrashes) sigaction(signal, &action, nullptr);
}

void disarm_rescue() {
  for (const int signal : kCrashes) std::signal(signal, SIG_DFL);
}

}  // namespace aisp::tui
