// SPDX-License-Identifier: Apache-2.0
/// \file
/// A real terminal for tests: a tmux server of its own, with one shell in it. Gone with this object.
///
///   Tmux terminal(box, 80, 24);
///   terminal.type("aisp tui", "Enter");
///   EXPECT_TRUE(terminal.shows("[1 Workloads]")) << terminal.screen();
#pragma once

#include <string>
#include <vector>

#include <unistd.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {

class Tmux {
 public:
  Tmux(Sandbox& box, int columns, int rows) : box_(box) {
    static int number = 0;
    socket_ = "aisp-test-" + std::to_string(getpid()) + "-" + std::to_string(number++);
    box_.environment["TMUX_TMPDIR"] = box_.tmp().string();
    box_.environment["PS1"] = "$ ";
    const Finished made = ask({"-f", "/dev/null", "new-session", "-d", "-x", std::to_string(columns), "-y",
                               std::to_string(rows), "/bin/sh"});
    started_ = made.exit_code == 0;
    problem_ = made.err;
  }
  ~Tmux() { ask({"kill-server"}); }
  Tmux(const Tmux&) = delete;
  Tmux& operator=(const Tmux&) = delete;

  /// False where tmux is missing: `./setup.sh test` installs it.
  bool started() const { return started_; }
  const std::string& problem() const { return problem_; }

  /// tmux's names of keys ("Enter", "Down", "C-c"); anything else is typed as it is.
  template <class... Keys>
  void type(const Keys&... keys) {
    ask({"send-keys", std::string(keys)...});
  }
  std::string screen() { return ask({"capture-pane", "-p"}).out; }
  /// Waits for the words.
  bool shows(const std::string& words) {
    return eventually([&] { return screen().find(words) != std::string::npos; });
  }
  bool hides(const std::string& words) {
    return eventually([&] { return screen().find(words) == std::string::npos; });
  }
  void resize(int columns, int rows) {
    ask({"resize-window", "-x", std::to_string(columns), "-y", std::to_string(rows)});
  }
  /// Whether a program has taken the screen.
  bool taken() { return ask({"display-message", "-p", "#{alternate_on}"}).out == "1\n"; }

 private:
  Finished ask(std::vector<std::string> words) {
    words.insert(words.begin(), {"-u", "-L", socket_});
    return box_.run(words, "tmux");
  }

  Sandbox& box_;
  std::string socket_, problem_;
  bool started_ = false;
};

}  // namespace aisp::testing
