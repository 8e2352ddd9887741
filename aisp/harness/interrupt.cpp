// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/interrupt.h"

#include <csignal>
#include <initializer_list>

#include <unistd.h>

namespace aisp::harness {
namespace {

volatile std::sig_atomic_t stop_signal = 0;

void on_signal(int signal) {
  if (stop_signal != 0) _exit(128 + signal);
  stop_signal = signal;
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action{};
  action.sa_handler = on_signal;  // no SA_RESTART: poll() must return
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

int interrupted() { return stop_signal; }

}  // namespace aisp::harness
