// SPDX-License-Identifier: Apache-2.0
// Texts that try to break out of wherever they are shown: a terminal, a web page, a JSON document.
#include <cstdio>
#include <stdexcept>

#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

constexpr const char* kEscape =
    "\x1b[31m\x1b]0;owned\x07</script><script>alert(1)</script>\"}\\\n\r\t\xff\xfe";

Workload loud() {
  Workload workload = doubling("names/loud", std::string("loud") + kEscape, honest);
  workload.title = std::string("title") + kEscape;
  workload.idea = std::string("idea") + kEscape;
  workload.tags = {std::string("tag") + kEscape};
  workload.variants[1].note = std::string("note") + kEscape;
  workload.variants[1].run = CallFunction([](const Call& call) {
    honest(call);
    std::fprintf(stderr, "said %s\n", kEscape);
    call.metric(std::string("metric") + kEscape, 1);
  });
  workload.variants[2].run =
      CallFunction([](const Call&) { throw std::runtime_error(std::string("thrown") + kEscape); });
  return workload;
}
const Registration registered{loud()};

}  // namespace
}  // namespace aisp::plugins
